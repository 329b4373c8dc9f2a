// Findings of files that are not open, and what the status bar says meanwhile: tasks, Check Workspace, a large file.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { Editor, EXTENSION, missing } from "./editor.mjs";
import { Hands, until, untilMatches } from "./hands.mjs";

const VSIX = process.env.MEMLANE_VSIX ?? path.join(EXTENSION, "memlane.vsix");
const skip = missing() ?? (existsSync(VSIX) ? false : `no ${VSIX}: npm run package`);
const leaks = (count, name) =>
  Array.from({ length: count }, (_, at) => `func.func @${name}${at}() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n`).join("");

test("findings of files that are not open", { skip, timeout: 1_500_000 }, async (t) => {
  const closed = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`lib/closed${at}.mlir`, leaks(38, `f${at}_`)]));
  const editor = await Editor.start({
    unpacked: [VSIX],
    files: { "a.mlir": leaks(2, "open"), ...closed },
    open: "a.mlir",
    settings: { "workbench.colorTheme": "Default Dark Modern", "terminal.integrated.gpuAcceleration": "off" },
  });
  const hands = new Hands(editor.page);
  const problems = () => hands.seen('[id="status.problems"]');
  const count = async () => Number(/\d+/.exec((await editor.page.getAttribute('[id="status.problems"] a', "aria-label")) ?? "")?.[0] ?? 0);
  const step = (name, action) =>
    t.test(name, async () => {
      try {
        await action();
      } finally {
        await hands.shoot(`problems-${name.replace(/\W+/g, "-")}`);
      }
    });
  try {
    await step("those of the open one are there", async () => {
      await until("two squiggles", async () => (await hands.squiggles("warning")) === 2);
      await untilMatches("the status bar", () => hands.status(), /2 findings/);
    });
    await step("Check Workspace adds those of all others, with their paths, and opens the list", async () => {
      await hands.run("Memlane: Check Workspace");
      await until("the list", async () => /closed0\.mlir/.test(await hands.seen(".markers-panel .monaco-list-row")));
      await until("all of them", async () => (await problems()).includes(`${2 + 9 * 38}`));
      assert.ok((await editor.page.locator(".markers-panel .monaco-list-row").count()) > 3);
      await until("two squiggles, as the editor is laid out anew", async () => (await hands.squiggles("warning")) === 2);
    });
    await step("asked again, the list stays open", async () => {
      const said = editor.page.locator(".statusbar", { hasText: "9 files checked that are not open" });
      await until("what was said to go", async () => (await said.count()) === 0);
      await hands.run("Memlane: Check Workspace");
      await until("that it is done", async () => (await said.count()) === 1);
      assert.ok((await editor.page.locator(".markers-panel .monaco-list-row").count()) > 3);
    });
    await step("they are found again by a server that is started anew", async () => {
      const before = editor.servers();
      await hands.run("Memlane: Restart Server");
      await until("the end of the first server", () => !editor.servers().some((one) => before.includes(one)));
      await until("all of them again", async () => (await count()) === 2 + 9 * 38);
    });
    await step("a task finds the same, and none is shown twice", async () => {
      await hands.pick(".quick-input-list .monaco-list-row", "memlane: check .", () => hands.run("Tasks: Run Build Task"));
      await until("its end", async () => /344 findings in 10 files/.test((await editor.page.locator(".xterm-rows").allTextContents()).join("").replace(/\u00a0/g, " ")));
      assert.ok((await problems()).includes(`${2 + 9 * 38}`), await problems());
      await until("two squiggles, as the editor is laid out anew", async () => (await hands.squiggles("warning")) === 2);
    });
    await step("a restart of the server leaves what the task found", async () => {
      await hands.run("Memlane: Restart Server");
      await until("all of them again", async () => (await problems()).includes(`${2 + 9 * 38}`) && (await hands.squiggles("warning")) === 2);
    });
    await step("a report has what the user agrees to, and no more", async () => {
      await hands.goTo(1);
      await hands.run("Memlane: Report a Problem...");
      const rows = editor.page.locator(".quick-input-list .monaco-list-row");
      await until("the question", async () => (await rows.count()) === 3);
      assert.match((await rows.allTextContents()).join(), /Versions and settings[^]*Log[^]*Text of a\.mlir/);
      await hands.shoot("problems-report-question");
      await editor.page.keyboard.press("Enter");
      const copy = editor.page.locator(".notification-toast", { hasText: "Nothing was sent" }).getByText("Copy", { exact: true });
      await until("the offer of a copy", async () => (await copy.count()) > 0);
      const copied = await until("the copy", async () => {
        const text = await editor.page.evaluate(() => navigator.clipboard.readText());
        // It closes with the click; one that comes while it still moves into its place is lost.
        if (!text && (await copy.count()) > 0) await copy.click({ timeout: 1_000 });
        return text || undefined;
      });
      assert.match(copied, /"memlane": "[\d.]+"[^]*## Log\n\n```text\n[^]*Python 3/);
      assert.ok(!copied.includes("memref.alloc") && !copied.includes(editor.home));
    });
    await step("the user stops Check Workspace; what was found by then stays", async () => {
      const known = await count();
      for (let at = 0; at < 60; at += 1) editor.write(`many/${String(at).padStart(2, "0")}.mlir`, leaks(700, `m${at}_`));
      await hands.run("Memlane: Restart Server"); // which checks it again by itself
      await hands.run("Memlane: Check Workspace");
      const progress = editor.page.locator(".notification-list-item", { hasText: "Checking the workspace" });
      await until("the progress", async () => (await progress.count()) > 0);
      await until("one file of all", async () => (await count()) >= known + 700);
      await until("the end of the progress", async () => {
        if ((await progress.count()) === 0) {
          await editor.page.waitForTimeout(1_000); // one that it ended may have gone, and its own not have come
          return (await progress.count()) === 0;
        }
        await progress.getByText("Cancel", { exact: true }).click({ timeout: 1_000 });
        return false;
      });
      // What the server sent before it stopped may still be on its way into the list.
      const found = await until("a number that stays", async () => {
        const before = await count();
        await editor.page.waitForTimeout(1_000);
        return (await count()) === before && before;
      });
      assert.ok(found > known && found < 60 * 700, String(found));
      await hands.goTo(1, 1, "a.mlir");
      await untilMatches("an idle server", () => hands.status(), /2 findings/);
      assert.equal(await count(), found);
    });
  } finally {
    await editor.close();
  }
});
