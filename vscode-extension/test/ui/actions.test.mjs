// What is offered at a statement: refactorings without a finding, repairs from its later lines; and the source behind it.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Editor, EXTENSION, missing } from "./editor.mjs";
import { Hands, until, untilMatches } from "./hands.mjs";

const VSIX = process.env.MEMLANE_VSIX ?? path.join(EXTENSION, "memlane.vsix");
const skip = missing() ?? (existsSync(VSIX) ? false : `no ${VSIX}: npm run package`);
const PROGRAM = `#shared = loc("lib/model.py":3:5)
func.func @rows(%zero: f32, %out: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %row = memref.alloc() : memref<256xf32> loc(#shared)
    linalg.fill ins(%zero : f32) outs(%row : memref<256xf32>)
    memref.copy %row, %out : memref<256xf32> to memref<256xf32>
    memref.dealloc %row : memref<256xf32>
    %growing = memref.alloc(%i) : memref<?xf32> loc("../outside.py":9:1)
    memref.store %zero, %growing[%c0] : memref<?xf32>
    memref.dealloc %growing : memref<?xf32>
  }
  %lost = memref.alloc()
    : memref<4xf32>
  %gone = memref.alloc() : memref<2xf32> loc(#shared)
  return
}
`;

test("refactorings, repairs and sources at a statement", { skip, timeout: 1_500_000 }, async (t) => {
  const files = { "a.mlir": PROGRAM, "lib/model.py": "def step():\n    pass\n    return 1\n" };
  const editor = await Editor.start({ unpacked: [VSIX], files, open: "a.mlir", settings: { "workbench.colorTheme": "Default Dark Modern", "editor.inlayHints.enabled": "off" } });
  const hands = new Hands(editor.page);
  const { page } = editor;
  const step = (name, action) =>
    t.test(name, async () => {
      try {
        await action();
      } finally {
        await hands.shoot(`actions-${name.replace(/\W+/g, "-")}`);
      }
    });
  const menu = ".action-widget .monaco-list-row";
  const atSource = async () => /model\.py/.test(await hands.seen(".editor-group-container.active .tab.active")) && (await hands.position()).includes("Ln 3, Col 5");
  const refactor = () => hands.run("Refactor...");
  try {
    await step("without a finding the pair can leave its loop; what cannot be done says why", async () => {
      await until("two leaks", async () => (await hands.squiggles("warning")) === 2);
      await hands.goTo(10, 12);
      await hands.row(menu, "Allocate %row before the loop, and free it after", refactor);
      await hands.shoot("actions-refactor-menu");
      await page.keyboard.press("Escape");
      await hands.goTo(11, 12);
      const refused = await hands.row(menu, "Allocate %growing before the loop", refactor);
      assert.match(refused.drawn, /option-disabled/);
      assert.match(refused.text, /\(refused: its size depends on %i, which is computed in the loop\)/);
      await hands.shoot("actions-refused-menu");
      await page.keyboard.press("Escape");
      await hands.goTo(10, 12);
      await hands.pick(menu, "Allocate %row before the loop", refactor);
      await untilMatches("the pair outside", () => hands.text(), /%row = memref\.alloc\(\)[^\n]*\n\s*scf\.for[^]*\}\n\s*memref\.dealloc %row/);
    });
    await step("a leak is repaired from the second line of its statement", async () => {
      await hands.goTo(16, 8);
      await hands.quickFix(/^Free %lost after its last use/);
      await untilMatches("the deallocation", () => hands.text(), /memref\.dealloc %lost : memref<4xf32>/);
      await until("one leak less", async () => (await hands.squiggles("warning")) === 1);
    });
    await step("a finding leads to the line of the program that it comes from", async () => {
      await hands.run("Problems: Focus on Problems View");
      const from = page.locator(".markers-panel .monaco-list-row", { hasText: "from lib/model.py:3" });
      assert.match((await until("the row", () => from.first().textContent())).replace(/\u00a0/g, " "), /model\.py\s*\[Ln 3, Col 5\]/);
      await hands.click(from.first(), "the source", atSource, { clickCount: 2 });
    });
    await step("so does a row of the memory panel, for files of the workspace alone", async () => {
      await hands.goTo(15, 5, "a.mlir");
      await hands.run("Memlane: Show Memory of Function");
      const panel = await hands.frameWith(".block");
      const row = (name) => panel.locator(".table tbody tr", { has: panel.getByRole("button", { name, exact: true }) });
      await hands.click(panel.getByText("Table", { exact: true }), "the table", async () => (await row("%growing").count()) === 1);
      assert.match(await row("%growing").innerText(), /\.\.\/outside\.py:9/);
      assert.equal(await row("%growing").locator("button.source").count(), 0);
      await hands.click(row("%gone").locator("button.source", { hasText: "lib/model.py:3" }), "the source", atSource);
    });
  } finally {
    await editor.close();
  }
});
