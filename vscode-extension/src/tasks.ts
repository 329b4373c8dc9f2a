/** Tasks: `memlane check` over the folders of the workspace, with its findings among the problems. */

import * as path from "node:path";
import * as vscode from "vscode";
import type { Cli } from "./cli";
import { bundled, type Places } from "./launch";

/** What a task in tasks.json says. */
interface Definition extends vscode.TaskDefinition {
  readonly paths?: readonly string[];
  readonly args?: readonly string[];
}

/** Offers one task for each folder, and completes those of tasks.json. */
export class Tasks implements vscode.TaskProvider {
  constructor(
    private readonly cli: Cli,
    private readonly places: Places,
  ) {}

  async provideTasks(): Promise<vscode.Task[]> {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
    return Promise.all(folders.map((folder) => this.task({ type: "memlane", paths: ["."] }, folder)));
  }

  async resolveTask(task: vscode.Task): Promise<vscode.Task | undefined> {
    const scope = task.scope;
    return typeof scope === "object" ? this.task(task.definition as Definition, scope) : undefined;
  }

  private async task(definition: Definition, folder: vscode.WorkspaceFolder): Promise<vscode.Task> {
    const paths = (definition.paths ?? ["."]).map((one) => path.resolve(folder.uri.fsPath, one));
    const check = ["check", "--output-format", "concise", ...(definition.args ?? []), ...paths];
    const { command, args } = bundled(await this.cli.python(), this.places, check);
    const execution = new vscode.ProcessExecution(command, [...args], { cwd: folder.uri.fsPath });
    const task = new vscode.Task(definition, folder, `check ${(definition.paths ?? ["."]).join(" ")}`, "memlane", execution, "$memlane");
    task.group = vscode.TaskGroup.Build;
    return task;
  }
}

/** Run the check of the workspace's first folder. */
export async function checkWorkspace(tasks: Tasks): Promise<void> {
  const [task] = await tasks.provideTasks();
  if (task) await vscode.tasks.executeTask(task);
  else void vscode.window.showInformationMessage("Open a folder to check it.");
}
