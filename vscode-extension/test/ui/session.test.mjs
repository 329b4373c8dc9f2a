// A user's first session: the VSIX in a fresh profile, on a machine without any of its Python packages.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Editor, EXTENSION, missing } from "./editor.mjs";
import { Hands, until, untilMatches } from "./hands.mjs";

const VSIX = process.env.MEMLANE_VSIX ?? path.join(EXTENSION, "memlane.vsix");
const PROGRAM = "cond_branch.mlir";
const skip = missing() ?? (existsSync(VSIX) ? false : `no ${VSIX}: npm run package`);

test("a leak is found, seen, understood and repaired", { skip, timeout: 1_500_000 }, async (t) => {
  const python = spawnSync("/usr/bin/python3", ["-I", "-S", "-c", "import pygls"]);
  assert.notEqual(python.status, 0, "this machine has the packages: the test would not see that they are missing");
  const editor = await Editor.start({
    installed: [VSIX],
    files: { [PROGRAM]: { copy: path.join(EXTENSION, "../examples", PROGRAM) } },
    open: PROGRAM,
    prepare: commit,
    settings: { "files.autoSave": "off", "workbench.colorTheme": "Default Dark Modern" },
  });
  const hands = new Hands(editor.page);
  let panel;
  const step = (name, action) =>
    t.test(name, async () => {
      try {
        await action();
      } catch (error) {
        await hands.shoot(`failed-${name.replace(/\W+/g, "-")}`);
        throw error;
      }
    });

  try {
    await step("it is underlined, and a hint says what is wrong", async () => {
      await until("the squiggle", () => hands.squiggles("warning"));
      await until("the hint", async () => /memref\.alloc.*never freed/.test((await hands.lines()).join("\n")));
      await untilMatches("the status bar", () => hands.statusAt(12, 5), /^\s*1 finding/);
    });

    await step("the lens has the peak and the findings; names of operations have a colour of their own", async () => {
      await until("the lens", async () => /peak 8 B.*1 finding/.test(await hands.seen(".codelens-decoration")));
      await until("the colour", () =>
        editor.page.evaluate(() => {
          const words = [...document.querySelectorAll(".view-line span > span")];
          const name = words.find((word) => word.textContent === "alloc");
          const parts = (name && getComputedStyle(name).color.match(/\d+/g)) ?? [0];
          return Math.max(...parts) - Math.min(...parts) > 30; // plain text is grey
        }),
      );
    });

    await step("without another extension for MLIR, its own grammar counts", async () => {
      assert.match(await hands.scopes(12, 4), /variable\.other\.value\.mlir/);
      await editor.page.keyboard.press("Escape");
    });

    await step("lanes stand beside the code, with the leak's own pattern", async () => {
      await until("lanes", async () => (await hands.lanes()).some((svg) => svg.includes("#cf222e") || svg.includes("#ff7b72")));
      await hands.run("Memlane: Toggle Lanes Beside the Code");
      await until("no lanes", async () => (await hands.lanes()).length === 0);
      await hands.run("Memlane: Toggle Lanes Beside the Code");
      await until("lanes again", async () => (await hands.lanes()).length > 0);
    });

    await step("the panel draws it", async () => {
      await hands.run("Memlane: Show Memory of Function");
      panel = await hands.frameWith(".block .leaked");
      assert.match(await panel.locator(".summary").textContent(), /1 buffer · peak/);
      const said = await panel.locator(".block").first().getAttribute("aria-label");
      assert.match(said, /%alloc.*never freed/);
    });

    await step("a click in the panel puts the cursor there; the cursor lights the block", async () => {
      await hands.goTo(4, 1);
      await until("no block lit", async () => (await panel.locator(".block.here").count()) === 0);
      await hands.click(panel.locator(".block").first(), "the cursor", async () => (await hands.position()).includes("Ln 12, Col 3"));
      await until("the block", async () => (await panel.locator(".block.here").count()) === 1);
    });

    await step("a setting changes how it is reported", async () => {
      editor.write(".vscode/settings.json", JSON.stringify({ "memlane.rules.leak": "error" }));
      await until("an error", () => hands.squiggles("error"));
      await until("no warning", async () => (await hands.squiggles("warning")) === 0);
      editor.write(".vscode/settings.json", JSON.stringify({ "memlane.rules.leak": "off" }));
      await until("nothing", async () => (await hands.squiggles("error")) + (await hands.squiggles("warning")) === 0);
      editor.write(".vscode/settings.json", "{}");
      await until("a warning", () => hands.squiggles("warning"));
    });

    await step("a broken file is told of, and does not take the rest with it", async () => {
      await hands.goTo(14, 1);
      // Hints are part of what is read: those that stay, not those of the settings before or the first of the new ones.
      const before = await until("all hints", async () => {
        const text = await hands.text();
        return /8 B, never freed/.test(text) && /owned on some paths/.test(text) && text;
      });
      await editor.page.keyboard.type("  %broken = memref.load %alloc[ : ");
      await until("an error", () => hands.squiggles("error"));
      assert.ok(await until("the leak, still", () => hands.squiggles("warning")));
      await until("the text as it was", async () => {
        if ((await hands.text()) === before) return true;
        await editor.page.keyboard.press("Control+Z"); // nothing was edited before this: one more does nothing
        return false;
      });
      await until("no error", async () => (await hands.squiggles("error")) === 0);
    });

    await step("the repair is applied by keyboard; squiggle, hint, lanes and panel follow", async () => {
      await hands.goTo(12, 14);
      await hands.quickFix(/^Free %alloc/);
      await until("the deallocation", async () => /memref\.dealloc %source/.test(await hands.text()));
      await until("no squiggle", async () => (await hands.squiggles("warning")) === 0);
      await until("no leak in the panel", async () => (await panel.locator(".leaked").count()) === 0 && (await panel.locator(".block").count()) >= 1);
      await until("no red lane", async () => !(await hands.lanes()).some((svg) => /#cf222e|#ff7b72/.test(svg)));
      await until("another hint", async () => !(await hands.text()).includes("8 B, never freed"));
    });

    await step("undone, it is back, after a restart of the server too", async () => {
      await editor.page.keyboard.press("Control+Z");
      await until("the squiggle", () => hands.squiggles("warning"));
      const before = await until("one server", () => {
        const all = editor.servers(); // a process that is about to become its worker looks like it for a moment
        return all.length === 1 && all;
      });
      await hands.run("Memlane: Restart Server");
      await until("another server", () => editor.servers().some((one) => !before.includes(one)));
      await until("the end of the first", () => !editor.servers().some((one) => before.includes(one)));
      await untilMatches("what it found", () => hands.status(), /1 finding/);
      await until("the squiggle", () => hands.squiggles("warning"));
    });

    await step("all of it may be repaired at once, while the server still starts, too", async () => {
      await hands.run("Memlane: Restart Server");
      await hands.run("Memlane: Apply All Safe Fixes in File");
      await until("the deallocation", async () => /memref\.dealloc %source/.test(await hands.text()));
      await editor.page.keyboard.press("Control+S");
      const file = path.join(editor.folder, PROGRAM);
      await until("the file", () => readFileSync(file, "utf8").includes("memref.dealloc %source"));
    });

    await step("what that changed since git's HEAD is drawn and listed", async () => {
      await hands.run("Memlane: Compare Memory with Git HEAD");
      const frame = await hands.frameWith(".comparison .moves li");
      assert.equal(await frame.locator(".comparison .chart:not([hidden])").count(), 2);
      assert.match(await frame.locator(".moves").innerText(), /%alloc is freed now/);
      assert.match(await frame.locator("h2").first().innerText(), /cond_branch\.mlir \(HEAD\): peak 8 B/);
      const block = frame.locator(".chart").nth(1).locator(".block").first();
      await hands.click(block, "the cursor", async () => (await hands.position()).includes("Ln 12, Col 3"));
    });
  } finally {
    await editor.close();
  }
});

/** Make the workspace a repository that has committed the program. */
function commit(folder) {
  const git = (...args) => execFileSync("git", ["-C", folder, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args]);
  git("init", "-q");
  git("add", PROGRAM);
  git("commit", "-q", "-m", "first");
}
