/** The extension in a real extension host, through the editor's API. */

import assert from "node:assert/strict";
import * as vscode from "vscode";

const LEAK = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n";
const FIXED = "func.func @f() {\n  %a = memref.alloc() : memref<4xf32>\n  memref.dealloc %a : memref<4xf32>\n  return\n}\n";
const BIG = "memref<16384xf32>";
/** Two buffers, of which the first is freed only after the second is used. */
const HELD = [
  "func.func @f(%x: f32, %i: index) -> f32 {",
  `  %a = memref.alloc() : ${BIG}`,
  `  memref.store %x, %a[%i] : ${BIG}`,
  `  %y = memref.load %a[%i] : ${BIG}`,
  `  %b = memref.alloc() : ${BIG}`,
  `  memref.store %y, %b[%i] : ${BIG}`,
  `  %z = memref.load %b[%i] : ${BIG}`,
  `  memref.dealloc %a : ${BIG}`,
  `  memref.dealloc %b : ${BIG}`,
  "  return %z : f32\n}\n",
].join("\n");

/** Wait until `look` gives something true, and give it. */
async function until<T>(what: string, look: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> {
  const end = Date.now() + 180_000;
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<T, false | undefined>;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const ours = (uri: vscode.Uri): vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter((one) => one.source === "memlane" && codeOf(one) !== "unknown-effects");
const codeOf = (one: vscode.Diagnostic): string => String(typeof one.code === "object" ? one.code.value : one.code);
const codes = (uri: vscode.Uri): string => ours(uri).map(codeOf).join();

async function open(content: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "mlir", content }));
}

async function replace(editor: vscode.TextEditor, text: string): Promise<void> {
  const { document } = editor;
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  assert.ok(await editor.edit((edit) => edit.replace(all, text)));
}

describe("the extension", () => {
  it("starts with the first MLIR document", async () => {
    await open(LEAK);
    const extension = vscode.extensions.getExtension("lanes.memlane") ?? assert.fail("not installed");
    await until("activation", () => extension.isActive);
  });

  it("finds what is wrong in an untitled document, with a link to the rule and the way that leads there", async () => {
    const { document } = await open(LEAK);
    await until("a leak", () => codes(document.uri) === "leak");
    const [found] = ours(document.uri);
    assert.equal(found?.severity, vscode.DiagnosticSeverity.Warning);
    assert.ok(typeof found.code === "object" && found.code.target.toString().includes("/rules/leak/"));
  });

  it("repairs it", async () => {
    const { document } = await open(LEAK);
    await until("a leak", () => codes(document.uri) === "leak");
    const [found] = ours(document.uri);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", document.uri, found?.range, "quickfix", 9);
    const edit = actions.find((one) => one.isPreferred)?.edit ?? assert.fail(actions.map((one) => one.title).join());
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(document.getText(), FIXED);
    await until("nothing", () => ours(document.uri).length === 0);
  });

  it("gives hints, a hover and symbols", async () => {
    const { document } = await open(LEAK);
    await until("a leak", () => codes(document.uri) === "leak"); // what is not known yet, hints tell later
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>("vscode.executeInlayHintProvider", document.uri, all);
    const said = hints.map((hint) => (typeof hint.label === "string" ? hint.label : hint.label.map((part) => part.value).join(""))).join();
    assert.match(said, /16 B.*never freed/);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", document.uri, new vscode.Position(1, 3));
    assert.match(hovers.map((hover) => hover.contents.map((one) => (typeof one === "string" ? one : one.value)).join()).join(), /16/);
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>("vscode.executeDocumentSymbolProvider", document.uri);
    assert.match(symbols.map((one) => one.name).join(), /f/);
  });

  it("follows edits that break the text and repair it", async () => {
    const editor = await open(LEAK);
    const { uri } = editor.document;
    await until("a leak", () => codes(uri) === "leak");
    await replace(editor, LEAK.replace("memref<4xf32>", "memref<4xf32 %b ]"));
    await until("a mistake", () => codes(uri).includes("syntax") || codes(uri).includes("undefined"));
    await replace(editor, FIXED);
    await until("nothing", () => codes(uri) === "");
    await replace(editor, LEAK);
    await until("a leak", () => codes(uri) === "leak");
  });

  it("takes settings over at once", async () => {
    const { document } = await open(LEAK);
    await until("a leak", () => codes(document.uri) === "leak");
    const section = vscode.workspace.getConfiguration("memlane");
    await section.update("rules.leak", "error", vscode.ConfigurationTarget.Global);
    await until("an error", () => ours(document.uri)[0]?.severity === vscode.DiagnosticSeverity.Error);
    await section.update("check.ignore", ["leak"], vscode.ConfigurationTarget.Global);
    await until("nothing", () => codes(document.uri) === "");
    await section.update("check.ignore", undefined, vscode.ConfigurationTarget.Global);
    await section.update("rules.leak", undefined, vscode.ConfigurationTarget.Global);
    await until("a warning", () => ours(document.uri)[0]?.severity === vscode.DiagnosticSeverity.Warning);
  });

  it("restarts its server", async () => {
    const { document } = await open(LEAK);
    await until("a leak", () => codes(document.uri) === "leak");
    await vscode.commands.executeCommand("memlane.restart");
    await until("a leak", () => codes(document.uri) === "leak");
    await vscode.commands.executeCommand("memlane.fixFile");
    await until("the repair", () => document.getText() === FIXED);
  });

  it("lowers the peak of the function at the cursor", async () => {
    const editor = await open(HELD);
    const text = (): string => editor.document.getText();
    await until("a late deallocation", () => codes(editor.document.uri).includes("late-free"));
    editor.selection = new vscode.Selection(1, 4, 1, 4);
    await vscode.commands.executeCommand("memlane.reducePeak");
    await until("a deallocation before the second allocation", () => text().indexOf("dealloc %a") < text().indexOf("%b = "));
  });

  it("shows no findings in other versions of a file, as in a diff editor, but hints", async () => {
    const provider = { provideTextDocumentContent: () => LEAK };
    const registered = vscode.workspace.registerTextDocumentContentProvider("review", provider);
    try {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse("review:/a.mlir"));
      assert.equal(document.languageId, "mlir");
      await vscode.window.showTextDocument(document);
      const all = new vscode.Range(0, 0, document.lineCount, 0);
      const hints = (): Thenable<vscode.InlayHint[]> => vscode.commands.executeCommand("vscode.executeInlayHintProvider", document.uri, all);
      await until("hints", async () => (await hints()).length > 0);
      assert.equal(ours(document.uri).length, 0);
    } finally {
      registered.dispose();
    }
  });

  it("explains rules, and says what helpers need to know", async () => {
    const page = await vscode.workspace.openTextDocument(vscode.Uri.parse("memlane-rule:/leak.md"));
    assert.match(page.getText(), /^# leak \(warning\)[^]*Why is this bad/);
    await vscode.commands.executeCommand("memlane.debugInformation");
    const shown = vscode.window.activeTextEditor?.document ?? assert.fail("no page");
    assert.deepEqual([shown.uri.scheme, shown.isUntitled, shown.isDirty], ["memlane-information", false, false]);
    const said = shown.getText();
    const told = JSON.parse(/```json\n([^]*)\n```/.exec(said)?.[1] ?? assert.fail(said));
    assert.equal(told.state, "running");
    assert.match(told.python.version, /^3\./);
    assert.ok(told.server.documents.length > 0);
    assert.ok(!said.includes("memref.alloc"));
  });

  it("compares with a file, and two dumps of a log of passes, in panels of their own", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const panels = (): string[] =>
      vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => tab.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith("memlane.comparison")).map((tab) => tab.label);
    await open(FIXED);
    await vscode.commands.executeCommand("memlane.compareWithFile", vscode.Uri.joinPath(folder, "closed.mlir"));
    await until("a comparison", () => panels().some((label) => label.startsWith("closed.mlir → ")));
    const log = vscode.Uri.joinPath(folder, "passes.log");
    const dump = (pass: string, text: string): string => `// -----// IR Dump After ${pass} //----- //\n${text}\n`;
    await vscode.workspace.fs.writeFile(log, Buffer.from(dump("A (a)", FIXED) + dump("B (b)", LEAK)));
    await vscode.commands.executeCommand("memlane.openPassesLog", log, [8]);
    await until("the dumps", () => panels().some((label) => /^A \(line 1\) → B \(line 8\)/.test(label)));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("completes values of the right type first, with their type, and follows locations", async () => {
    const text = `#here = loc("closed.mlir":2:3)\nfunc.func @f(%n: index) {\n  %a = memref.alloc() : memref<4xf32> loc(#here)\n  memref.dealloc %\n  return\n}\n`;
    const { document } = await open(text);
    const place = (words: string): vscode.Position => document.positionAt(text.indexOf(words) + words.length);
    const found = await vscode.commands.executeCommand<vscode.CompletionList>("vscode.executeCompletionItemProvider", document.uri, place("dealloc %"));
    const values = found.items.filter((one) => String(one.label).startsWith("%"));
    const [first] = values.sort((one, other) => (one.sortText ?? "").localeCompare(other.sortText ?? ""));
    assert.equal(first?.label, "%a");
    assert.equal(typeof first.insertText === "string" ? first.insertText : first.insertText?.value, "%a : memref<4xf32>");
    const lines = async (words: string): Promise<string[]> => {
      const all = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>("vscode.executeDefinitionProvider", document.uri, place(words));
      return all.map((one) => ("targetUri" in one ? `${one.targetUri.path}:${one.targetRange.start.line}` : `${one.uri.path}:${one.range.start.line}`));
    };
    assert.deepEqual(await lines("loc(#he"), [`${document.uri.path}:0`]);
    assert.match((await lines('"closed.ml')).join(), /closed\.mlir:1$/);
  });

  it("finds nothing in TableGen, whatever language it is said to be", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const file = vscode.Uri.joinPath(folder, "ops.td");
    await vscode.workspace.fs.writeFile(file, Buffer.from(LEAK));
    await vscode.languages.setTextDocumentLanguage((await vscode.window.showTextDocument(file)).document, "mlir");
    const { document } = await open(LEAK);
    await until("a leak in the next document", () => codes(document.uri) === "leak");
    assert.equal(ours(file).length, 0);
  });

  it("opens the panel with a function where the server has a lens", async () => {
    const { document } = await open(LEAK);
    const lenses = await until("lenses", async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", document.uri, 9);
      return found.length > 0 && found;
    });
    const show = lenses.map((lens) => lens.command).find((command) => command?.command === "memlane.server.showLanes") ?? assert.fail(JSON.stringify(lenses));
    await vscode.commands.executeCommand(show.command, ...(show.arguments ?? []));
    await until("the panel", () => vscode.window.tabGroups.all.some((group) => group.tabs.some((tab) => tab.label === "Memory of @f")));
  });

  it("follows to another document, also where its cursor is in no function", async () => {
    const editor = await open(`// Nothing here.\n${LEAK.replace("@f", "@other")}`);
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await vscode.commands.executeCommand("memlane.showMemory");
    await until("the panel", () => vscode.window.tabGroups.all.some((group) => group.tabs.some((tab) => tab.label === "Memory of @other")));
  });

  it("offers a task for each folder, whose findings become problems and leave the server's alone", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const leaks = Array.from({ length: 40 }, (_, number) => LEAK.replace("@f", `@f${number}`)).join("");
    const many = Array.from({ length: 9 }, (_, number) => vscode.Uri.joinPath(folder, `many/${number}.mlir`));
    for (const uri of many) await vscode.workspace.fs.writeFile(uri, Buffer.from(leaks));
    const { document } = await vscode.window.showTextDocument(many[0] ?? assert.fail());
    const all = (uri: vscode.Uri): number => ours(uri).filter((one) => codeOf(one) === "leak").length;
    await until("what the server finds", () => all(document.uri) === 40);
    const tasks = await vscode.tasks.fetchTasks({ type: "memlane" });
    assert.deepEqual(tasks.map((task) => [task.source, task.problemMatchers]), [["memlane", []]]);
    const ended = new Promise<number | undefined>((resolve) => {
      const subscription = vscode.tasks.onDidEndTaskProcess((event) => {
        subscription.dispose();
        resolve(event.exitCode);
      });
    });
    await vscode.tasks.executeTask(tasks[0] ?? assert.fail());
    assert.equal(await ended, 1);
    await until("all findings, none of them twice", () => many.every((uri) => all(uri) === 40));
    const [found] = ours(many[1] ?? assert.fail());
    assert.ok(found?.relatedInformation?.length && typeof found.code === "object");
    await vscode.commands.executeCommand("memlane.checkWorkspace");
    await until("the same of the server", () => many.every((uri) => all(uri) === 40));
    await vscode.window.showTextDocument(many[1] ?? assert.fail());
    await until("the same of a file that was opened", () => all(many[1] ?? assert.fail()) === 40);
  });
});
