// Machines and windows that are not like the others: no Python, the LLVM project's extension, a workspace that is not
// trusted.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { Editor, EXTENSION, missing } from "./editor.mjs";
import { Hands, INPUT, until, untilMatches } from "./hands.mjs";

const VSIX = process.env.MEMLANE_VSIX ?? path.join(EXTENSION, "memlane.vsix");
const skip = missing() ?? (existsSync(VSIX) ? false : `no ${VSIX}: npm run package`);
const LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n";
const once = { skip, timeout: 1_500_000 };

/** Start an editor, do something in it, close it; a picture is kept where that fails. */
async function inEditor(name, wanted, action) {
  const editor = await Editor.start({ unpacked: [VSIX], files: { "a.mlir": LEAK }, open: "a.mlir", ...wanted });
  const hands = new Hands(editor.page);
  try {
    await action(editor, hands);
  } catch (error) {
    await hands.shoot(`failed-${name}`);
    throw error;
  } finally {
    await editor.close();
  }
}

test("without a Python it says so, with a button that helps", once, () =>
  inEditor("no-python", { env: { PATH: "/nonexistent", SHELL: "/bin/bash" }, prepare: withoutPath }, async (editor, hands) => {
    const toast = editor.page.locator(".notification-toast", { hasText: "needs Python 3.10 or newer" });
    await until("the message", async () => (await toast.count()) > 0);
    await untilMatches("the status bar", () => hands.status(), /Memlane/);
    const input = editor.page.locator(INPUT);
    await hands.click(toast.locator("text=Choose Python..."), "the question", async () => (await input.count()) > 0);
    await input.fill("/usr/bin/python3");
    await input.press("Enter");
    await until("the squiggle", () => hands.squiggles("warning"));
  }));

test("with the LLVM project's extension, its grammar counts and not ours", once, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "memlane-llvm-"));
  const grammar = { scopeName: "source.mlir", patterns: [{ match: ".+", name: "keyword.theirs.mlir" }] };
  writeFileSync(path.join(folder, "grammar.json"), JSON.stringify(grammar));
  writeFileSync(path.join(folder, "README.md"), "In place of the LLVM project's extension.");
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({
    name: "vscode-mlir", publisher: "llvm-vs-code-extensions", version: "0.0.16", engines: { vscode: "^1.67.0" },
    contributes: {
      languages: [{ id: "mlir", extensions: [".mlir"] }],
      grammars: [{ language: "mlir", scopeName: "source.mlir", path: "./grammar.json" }],
    },
  }));
  const theirs = path.join(folder, "theirs.vsix");
  const vsce = path.join(EXTENSION, "node_modules/@vscode/vsce/vsce");
  execFileSync(process.execPath, [vsce, "package", "--no-dependencies", "--skip-license", "--allow-missing-repository", "--out", theirs], { cwd: folder, stdio: "pipe" });
  try {
    await inEditor("llvm", { unpacked: [VSIX, theirs] }, async (_editor, hands) => {
      await until("the squiggle", () => hands.squiggles("warning"));
      assert.match(await hands.scopes(2, 4), /keyword\.theirs\.mlir/);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a workspace that is not trusted is checked, and runs nothing of its own", once, () => {
  const planted = { "memlane.server": ["/bin/sh", "-c", "touch planted"], "memlane.interpreter": "./python3" };
  const files = {
    "a.mlir": LEAK,
    ".vscode/settings.json": JSON.stringify({ ...planted, "memlane.rules.leak": "error" }),
    python3: "#!/bin/sh\ntouch planted\n",
    "memlane/__init__.py": "open('planted', 'w')",
  };
  const prepare = (folder) => chmodSync(path.join(folder, "python3"), 0o755);
  return inEditor("untrusted", { files, prepare, trust: false }, async (editor, hands) => {
    await until("the squiggle", () => hands.squiggles("error"));
    for (const folder of [editor.folder, editor.home]) assert.ok(!existsSync(path.join(folder, "planted")), folder);
    await until("what is said of it", async () => /Restricted Mode/.test(await hands.seen(".statusbar")));
  });
});

/** See to it that the user's shell, which the editor asks for its PATH, has none. */
function withoutPath(folder) {
  for (const name of [".profile", ".bash_profile", ".bashrc"]) writeFileSync(path.join(folder, "..", name), "PATH=/nonexistent\n");
}
