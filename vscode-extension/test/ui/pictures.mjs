// Makes the pictures of README, walkthrough and docs/editors/vscode.md from the real editor, light and dark:
// `npm run pictures -- DIRECTORY`, after npm run package. Look at them before they are committed.
// Colours are reduced to 256 before they are committed (`pngquant`): the VSIX has a limit (scripts/contents.mjs).
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Editor, EXTENSION } from "./editor.mjs";
import { Hands, until } from "./hands.mjs";

const VSIX = process.env.MEMLANE_VSIX ?? path.join(EXTENSION, "memlane.vsix");
const TO = process.argv[2] ?? path.join(EXTENSION, "../docs/editors");
const EXAMPLES = path.join(EXTENSION, "../examples");
const THEMES = { light: "Default Light Modern", dark: "Default Dark Modern" };

async function scene(files, open, theme, size, action, more = {}) {
  const copies = { ...more, ...Object.fromEntries(files.map((name) => [name, { copy: path.join(EXAMPLES, name) }])) };
  const settings = { "workbench.colorTheme": THEMES[theme], "editor.fontSize": 13, "workbench.layoutControl.enabled": false, "editor.stickyScroll.enabled": false, "breadcrumbs.enabled": false, "workbench.activityBar.location": "hidden", "editor.scrollBeyondLastLine": false, "editor.occurrencesHighlight": "off" };
  const editor = await Editor.start({ installed: [VSIX], files: copies, open, settings, size });
  try {
    const hands = new Hands(editor.page);
    await until("hints", async () => /lives to|never freed/.test((await hands.lines()).join("")));
    await hands.run("View: Toggle Primary Side Bar Visibility");
    await action(editor, hands);
  } finally {
    await editor.close();
  }
}

/** Those named `vscode-` are in the walkthrough, too. */
async function shoot(editor, name) {
  await editor.page.mouse.move(5, 5);
  await editor.page.waitForTimeout(1200); // what fades in has done so
  await editor.page.screenshot({ path: path.join(TO, `${name}.png`) });
}

mkdirSync(TO, { recursive: true });
for (const theme of ["light", "dark"]) {
  await scene(["unique_names_late.mlir"], "unique_names_late.mlir", theme, { width: 1320, height: 720 }, async (editor, hands) => {
    await hands.goTo(33, 20);
    await hands.run("Memlane: Show Memory of Function");
    await hands.frameWith(".block.here");
    await shoot(editor, `vscode-memory-${theme}`);
  });
}
for (const theme of ["light", "dark"]) {
  await scene(["cond_branch.mlir"], "cond_branch.mlir", theme, { width: 900, height: 480 }, async (editor, hands) => {
    await hands.goTo(12, 14);
    await until("the lanes", async () => (await hands.lanes()).length > 0);
    await until("the actions", async () => {
      await editor.page.keyboard.press("Control+.");
      return editor.page.waitForSelector(".action-widget .monaco-list-row", { timeout: 2000 });
    });
    await shoot(editor, `vscode-fix-${theme}`);
  });
  await scene(["unique_names_late.mlir", "unique_names.mlir"], "unique_names.mlir", theme, { width: 1320, height: 760 }, async (editor, hands) => {
    await hands.goTo(6, 5);
    await hands.run("Memlane: Compare Memory with File...");
    await editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "unique_names_late.mlir" }).click();
    await hands.frameWith(".comparison .moves li");
    await shoot(editor, `vscode-compare-${theme}`);
  });
}

/** A log in which a pass holds buffers too long, and a later one repairs that. */
const dumps = [["Canonicalizer (canonicalize)", "unique_names"], ["CSE (cse)", "unique_names"], ["(anonymous namespace)::SinkDeallocs (sink-deallocs)", "unique_names_late"], ["LoopInvariantCodeMotion (loop-invariant-code-motion)", "unique_names_late"], ["OptimizeAllocationLiveness (optimize-allocation-liveness)", "unique_names"]];
const log = dumps.map(([pass, name]) => `// -----// IR Dump After ${pass} //----- //\n${readFileSync(path.join(EXAMPLES, `${name}.mlir`), "utf8").replaceAll("@unique_names_late", "@unique_names")}\n`).join("");
for (const theme of ["light", "dark"]) {
  await scene(["unique_names_late.mlir"], "unique_names_late.mlir", theme, { width: 1100, height: 560 }, async (editor, hands) => {
    await hands.run("Memlane: Open Passes Log...");
    await editor.page.locator(".quick-input-list .monaco-list-row", { hasText: "passes.log" }).click();
    const panel = await hands.frameWith(".passes tr.notes .name");
    await until("all of it", async () => /5 dumps, /.test(await panel.locator(".summary").innerText()));
    await shoot(editor, `passes-${theme}`);
  }, { "passes.log": log });
}
