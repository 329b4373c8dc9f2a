/** The commands: what each does is elsewhere; here they get their names. */

import * as vscode from "vscode";
import type { WorkspaceCheck } from "./checkWorkspace";
import type { Cli } from "./cli";
import type { Server } from "./client";
import { InformationPage, showDebugInformation } from "./debug";
import { selectInterpreter } from "./python/complain";
import { reportProblem } from "./report";
import { explainRule } from "./rules";
import { toggle } from "./settings";

/** What commands work with. */
export interface Context {
  readonly server: Server;
  readonly workspace: WorkspaceCheck;
  readonly cli: Cli;
  readonly output: vscode.LogOutputChannel;
  readonly extension: vscode.Extension<unknown>;
  /** The newest lines of the log. */
  readonly log: readonly string[];
}

/** Register them. A command that fails says so to the user, and in the log. */
export function registerCommands(context: Context, more: Record<string, (...args: never[]) => unknown>): vscode.Disposable {
  const { server, workspace, cli, output, extension, log } = context;
  const version = String(extension.packageJSON.version);
  const page = new InformationPage();
  const commands: Record<string, (...args: never[]) => unknown> = {
    restart: () => server.restart(),
    showLogs: () => output.show(),
    debugInformation: () => showDebugInformation(server, version, page),
    reportProblem: () => reportProblem(server, version, page, log),
    selectInterpreter,
    fixFile: () => fixFile(server),
    reducePeak: () => reducePeak(server),
    explainRule: (name?: string) => explainRule(cli, typeof name === "string" ? name : undefined),
    toggleHints,
    toggleLanes: async () => say((await toggle("lanes.enabled")) ? "Lanes are shown beside the code." : "Lanes are hidden."),
    checkWorkspace: () => workspace.run(),
    openWalkthrough: () => vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extension.id}#start`),
    ...more,
  };
  const registered = Object.entries(commands).map(([name, action]) =>
    vscode.commands.registerCommand(`memlane.${name}`, (...args: never[]) => guarded(output, () => action(...args))),
  );
  return vscode.Disposable.from(...registered, page);
}

async function guarded(output: vscode.LogOutputChannel, action: () => unknown): Promise<void> {
  try {
    await action();
  } catch (error) {
    output.error(String(error));
    void vscode.window.showErrorMessage(`Memlane: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** All safe fixes of the active file; waits for a server that is starting, as it offers none yet. */
async function fixFile(server: Server): Promise<void> {
  await server.settled();
  await vscode.commands.executeCommand("editor.action.sourceAction", { kind: "source.fixAll.memlane", apply: "first" });
}

/** The peak of the function at the cursor, lowered by safe fixes. The editor's own command would give up once the cursor moves. */
async function reducePeak(server: Server): Promise<void> {
  await server.settled();
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "mlir") return;
  const { document, selection } = editor;
  const version = document.version;
  const action = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: "Memlane: looking for a lower peak" },
    () => reduction(document.uri, selection),
  );
  if (!action?.edit) say("No safe fix lowers the peak here.");
  else if (document.version !== version) say("The text has changed meanwhile.");
  else if (await vscode.workspace.applyEdit(action.edit)) say(action.title);
}

async function reduction(uri: vscode.Uri, at: vscode.Range): Promise<vscode.CodeAction | undefined> {
  const kind = "refactor.rewrite.memlane.reducePeak";
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", uri, at, kind, 1);
  return actions.find((one) => one.kind?.value === kind);
}

/** All kinds of hints at once: hidden if any is shown. */
async function toggleHints(): Promise<void> {
  const section = vscode.workspace.getConfiguration("memlane");
  const properties = Object.keys(section).filter((key) => key.startsWith("inlayHint"));
  const shown = properties.some((key) => section.get<boolean>(key, true));
  for (const key of properties) await section.update(key, !shown, vscode.ConfigurationTarget.Global);
  say(shown ? "Inlay hints of Memlane are hidden." : "Inlay hints of Memlane are shown.");
}

function say(text: string): void {
  vscode.window.setStatusBarMessage(text, 3000);
}
