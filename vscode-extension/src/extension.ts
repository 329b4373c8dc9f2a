/** The door: VS Code calls `activate` when the first MLIR file opens, or a command of ours is used. */

import * as vscode from "vscode";
import { WorkspaceCheck } from "./checkWorkspace";
import { Cli } from "./cli";
import { Server } from "./client";
import { registerCommands } from "./commands";
import { Comparing } from "./compare/commands";
import { type Ask, Focus } from "./focus";
import { Lanes } from "./lanes/controller";
import { openLog } from "./log";
import { RULE_PAGES, RulePages } from "./rules";
import { KIND, MemoryPanel } from "./panel/memory";
import { LANES_CHANGED, SHOW_LANES } from "./protocol";
import { VERSIONS } from "./schemes";
import { START } from "./settings";
import { Status } from "./status";
import { Tasks } from "./tasks/provider";

let server: Server | undefined;

/** Start the server and all that shows what it knows. */
export function activate(context: vscode.ExtensionContext): void {
  const { channel: output, lines: log } = openLog("Memlane");
  const places = { extension: context.extensionUri.fsPath, storage: context.globalStorageUri.fsPath };
  server = new Server(output, places);
  const running = server;
  const cli = new Cli(running, places);
  const workspace = new WorkspaceCheck(running);
  const tasks = new Tasks(cli);
  const ask: Ask = (method, params, token) => running.request(method, params, token);
  const focus = new Focus(ask, (text) => output.debug(text));
  const panel = new MemoryPanel(context.extensionUri, focus, ask);
  // What is compared is asked for once: while a server starts, that is waited for.
  const askOnce: Ask = (method, params, token) => running.settled().then(() => ask(method, params, token));
  const comparing = new Comparing(context.extensionUri, askOnce, cli, () => focus.view?.lanes?.name);
  running.intercept(SHOW_LANES, (uri, name) => panel.openAt(vscode.Uri.parse(String(uri), true), String(name).replace(/^@/, "")));
  running.onNotification(LANES_CHANGED, () => focus.refresh());
  context.subscriptions.push(
    output,
    running,
    focus,
    new Status(running, focus),
    new Lanes(focus, context.extension.packageJSON.contributes.colors),
    registerCommands({ server: running, workspace, cli, output, extension: context.extension, log }, {
      showMemory: () => panel.open(),
      compareWithFile: (file?: vscode.Uri) => comparing.withFile(file),
      compareWithHead: () => comparing.withHead(),
      openPassesLog: (log?: vscode.Uri, lines?: number[]) => comparing.passes(log, lines),
    }),
    vscode.workspace.registerTextDocumentContentProvider(VERSIONS, comparing.versions),
    panel,
    vscode.window.registerWebviewPanelSerializer(KIND, panel),
    tasks,
    vscode.tasks.registerTaskProvider("memlane", tasks),
    vscode.workspace.registerTextDocumentContentProvider(RULE_PAGES, new RulePages(cli)),
    running.onState((state) => {
      focus.refresh();
      if (state === "running") workspace.again().catch((error) => output.error(`the workspace was not checked again: ${String(error)}`));
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (START.some((key) => event.affectsConfiguration(key))) void running.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void running.restart()),
  );
  void running.restart(); // not awaited: commands work, and say why they cannot, while the server starts
}

/** Stop the server. */
export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}
