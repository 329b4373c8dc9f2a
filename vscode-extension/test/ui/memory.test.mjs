// The memory panel in the editor: the lens that opens lanes, the legend, what calls take, numbers for dimensions.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Editor, EXTENSION, missing } from "./editor.mjs";
import { AGAIN, Hands, until, untilMatches } from "./hands.mjs";

const VSIX = process.env.MEMLANE_VSIX ?? path.join(EXTENSION, "memlane.vsix");
const skip = missing() ?? (existsSync(VSIX) ? false : `no ${VSIX}: npm run package`);
const PROGRAM = `func.func private @work(%n: index) {
  %t = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %t : memref<?xf32>
  return
}
func.func @main(%n: index, %m: index, %x: memref<?xf32>) {
  %a = memref.alloc() : memref<16384xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  call @work(%n) : (index) -> ()
  memref.copy %b, %x : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<16384xf32>
  memref.dealloc %b : memref<?xf32>
  return
}
`;

test("the memory panel of a function that calls and has unknown dimensions", { skip, timeout: 1_500_000 }, async (t) => {
  const editor = await Editor.start({ unpacked: [VSIX], files: { "a.mlir": PROGRAM }, open: "a.mlir", settings: { "workbench.colorTheme": "Default Dark Modern" } });
  const hands = new Hands(editor.page);
  let panel;
  const step = (name, action) =>
    t.test(name, async () => {
      try {
        await action();
      } finally {
        await hands.shoot(`memory-${name.replace(/\W+/g, "-")}`);
      }
    });
  const high = async (selector) => (await panel.locator(selector).first().boundingBox()).y;
  try {
    await step("the lens opens the lanes of its function", async () => {
      const lens = editor.page.locator(".codelens-decoration a", { hasText: "show lanes" }).nth(1);
      panel = await hands.click(lens, "the lanes", () => hands.frameWith('svg.picture[data-mode="lanes"]', AGAIN));
      await untilMatches("the function", () => panel.locator(".summary").innerText(), /2 buffers · peak 4\*%m \+ 4\*%n \+ 65536 B/);
      assert.equal(await panel.getByText("Lanes", { exact: true }).getAttribute("aria-pressed"), "true");
    });
    await step("a legend says what is drawn, and what calls take has its name", async () => {
      await untilMatches("the legend", () => panel.locator(".legend").innerText(), /in use[^]*held after the last use[^]*taken inside a call[^]*peak[^]*ideal/);
      const call = panel.locator("g:has(> rect.call)");
      await hands.click(panel.getByText("Bytes", { exact: true }), "the call", async () => (await call.count()) > 0);
      assert.equal(await call.first().getAttribute("aria-label"), "taken inside the call of @work 4*%n B");
    });
    await step("numbers for dimensions are given in the panel, and remembered in the workspace", async () => {
      await panel.locator('.unknowns input[name="%n"]').fill("20000");
      await panel.locator('.unknowns input[name="%n"]').press("Enter");
      await panel.locator('.unknowns input[name="%m"]').fill("8000");
      await panel.locator('.unknowns input[name="%m"]').press("Enter");
      await untilMatches("the peak", () => panel.locator(".summary").innerText(), /peak 173\.38 KiB/);
      await untilMatches("the lens", () => editor.page.locator(".codelens-decoration").allTextContents().then(String), /peak 173\.38 KiB/);
      const kept = JSON.parse(readFileSync(path.join(editor.folder, ".vscode/settings.json"), "utf8"));
      assert.deepEqual(kept["memlane.check.assume.sizes"], { "@main %n": 20000, "@main %m": 8000 });
      assert.equal(await panel.locator('.unknowns input[name="%n"]').inputValue(), "20000");
    });
    await step("what is drawn reaches the line of the peak, and the call says its name", async () => {
      await untilMatches("the call", () => panel.locator(".call-text").first().textContent(), /^@work 78\.13 KiB$/);
      const [line, call] = [await high("svg.picture line.peak"), await high("svg.picture rect.call")];
      assert.ok(Math.abs(line - call) < 3, `${line} ${call}`);
    });
  } finally {
    await editor.close();
  }
});
