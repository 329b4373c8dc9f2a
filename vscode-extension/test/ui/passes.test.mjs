// A log of passes: a row for each, culprits first; a click opens a dump at the buffer, two that are selected are compared.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Editor, EXTENSION, missing } from "./editor.mjs";
import { AGAIN, Hands, until, untilMatches } from "./hands.mjs";

const VSIX = process.env.MEMLANE_VSIX ?? path.join(EXTENSION, "memlane.vsix");
const skip = missing() ?? (existsSync(VSIX) ? false : `no ${VSIX}: npm run package`);
const PASSES = ["Canonicalizer (canonicalize)", "CSE (cse)", "(anonymous namespace)::Lower (lower)", "Hoist (hoist)"];

/** A dump of a function with some buffers, which are freed or not. */
function dump(pass, count, size, freed) {
  const one = (at) => `  %a${at} = memref.alloc() : memref<${size}xf32>\n  memref.store %x, %a${at}[%i] : memref<${size}xf32>\n${freed ? `  memref.dealloc %a${at} : memref<${size}xf32>\n` : ""}`;
  const body = Array.from({ length: count }, (_, at) => one(at)).join("");
  return `// -----// IR Dump After ${pass} //----- //\nfunc.func @main(%x: f32, %i: index) {\n${body}  return\n}\n\n`;
}

const log = (dumps, count) => Array.from({ length: dumps }, (_, at) => dump(PASSES[at % 4], count, at < 6 ? 1024 : 4096, at !== 2)).join("");

test("a log of passes", { skip, timeout: 1_500_000 }, async (t) => {
  const editor = await Editor.start({
    unpacked: [VSIX],
    files: { "a.mlir": "func.func @f() {\n  return\n}\n", "passes.log": log(9, 5), "large.log": log(270, 100) },
    open: "a.mlir",
    settings: { "workbench.colorTheme": "Default Dark Modern", "files.simpleDialog.enable": true },
  });
  const hands = new Hands(editor.page);
  let panel;
  const step = (name, action) =>
    t.test(name, async () => {
      try {
        await action();
      } finally {
        await hands.shoot(`passes-${name.replace(/\W+/g, "-")}`);
      }
    });
  const open = (name) => hands.pick(".quick-input-list .monaco-list-row", name, () => hands.run("Memlane: Open Passes Log..."));
  try {
    await step("is a view of its own, culprits first", async () => {
      await hands.run("Memlane: Restart Server"); // the editor is there, and the extension
      await open("passes.log");
      panel = await hands.frameWith(".passes tr.pass");
      await untilMatches("all of it", () => panel.locator(".summary").innerText(), /^passes\.log: 9 dumps, 2 made a peak grow or introduced findings$/);
      const rows = await panel.locator("tr.pass").allInnerTexts();
      assert.equal(rows.length, 9);
      assert.match(rows[0], /Lower\s+lower\s+@main\s+20 KiB\s+4 KiB/);
      assert.match(await panel.locator("tr.notes").first().innerText(), /@main grows from 4 KiB to 20 KiB\s+introduces 5 × leak, first in @main: buffer %a0 of 4 KiB is never freed/);
      assert.equal(await panel.locator(".bar .above").first().evaluate((one) => one.style.width), "100%");
    });
    await step("a click opens the dump at the buffer", async () => {
      await hands.click(panel.locator("tr.notes .name", { hasText: "leak" }), "the place", async () => (await hands.position()).includes("Ln 2, Col 3"));
      await until("the tab", async () => (await editor.page.locator(".tab.active", { hasText: "Lower (line 41).mlir" }).count()) === 1);
    });
    await step("two that are selected are compared", async () => {
      await panel.getByLabel("Select CSE").first().check();
      await panel.getByLabel("Select Lower").first().check();
      const both = panel.getByText("Compare the two", { exact: true });
      const compared = await hands.click(both, "the comparison", () => hands.frameWith(".comparison .moves li", AGAIN));
      await untilMatches("what changed", () => compared.locator(".moves").innerText(), /%a0 is no longer freed/);
    });
    await step("a large one is read in seconds", async () => {
      await open("large.log");
      const start = Date.now();
      const large = await until("the rows", async () => {
        for (const frame of editor.page.frames()) {
          if (/^large\.log: 270 dumps/.test((await frame.locator(".passes .summary").allInnerTexts().catch(() => [])).join())) return frame;
        }
        return undefined;
      });
      t.diagnostic(`${log(270, 100).split("\n").length} lines in ${Date.now() - start} ms`);
      assert.equal(await large.locator("tr.pass").count(), 270);
    });
  } finally {
    await editor.close();
  }
});
