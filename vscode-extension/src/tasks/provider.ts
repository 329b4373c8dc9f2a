/** Tasks: `memlane check` over the folders of the workspace, with its findings among the problems. */

import * as path from "node:path";
import * as vscode from "vscode";
import type { Cli } from "../cli";
import { TaskFindings } from "./findings";
import { lineOf, type Record, recordOf, summaryOf } from "./records";

/** What a task in tasks.json says. */
interface Definition extends vscode.TaskDefinition {
  readonly paths?: readonly string[];
  readonly args?: readonly string[];
}

/** Offers one task for each folder, and completes those of tasks.json. */
export class Tasks implements vscode.TaskProvider, vscode.Disposable {
  private readonly findings = new TaskFindings();

  constructor(private readonly cli: Cli) {}

  provideTasks(): vscode.Task[] {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
    return folders.map((folder) => this.task({ type: "memlane", paths: ["."] }, folder));
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const scope = task.scope;
    return typeof scope === "object" ? this.task(task.definition as Definition, scope) : undefined;
  }

  dispose(): void {
    this.findings.dispose();
  }

  private task(definition: Definition, folder: vscode.WorkspaceFolder): vscode.Task {
    const names = definition.paths ?? ["."];
    const cwd = folder.uri.fsPath;
    const args = ["check", "--output-format", "json-lines", ...(definition.args ?? []), ...names.map((one) => path.resolve(cwd, one))];
    const run = async (): Promise<vscode.Pseudoterminal> => new Run(this.cli, this.findings, args, cwd);
    // No problem matcher: the findings come to the problems whole, with their paths and links.
    const task = new vscode.Task(definition, folder, `check ${names.join(" ")}`, "memlane", new vscode.CustomExecution(run), []);
    task.group = vscode.TaskGroup.Build;
    return task;
  }
}

/** One run of a task, in its terminal. */
class Run implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly ended = new vscode.EventEmitter<number>();
  private readonly stop = new vscode.CancellationTokenSource();
  readonly onDidWrite = this.written.event;
  readonly onDidClose = this.ended.event;

  constructor(
    private readonly cli: Cli,
    private readonly findings: TaskFindings,
    private readonly args: readonly string[],
    private readonly cwd: string,
  ) {}

  open(): void {
    void this.check();
  }

  close(): void {
    this.stop.cancel();
  }

  /** What is typed: Ctrl+C ends the run. */
  handleInput(typed: string): void {
    if (typed.includes("\x03")) this.stop.cancel();
  }

  private async check(): Promise<void> {
    const found: Record[] = [];
    const take = (line: string): void => {
      const record = recordOf(line);
      if (record) found.push(record);
      this.write(record ? lineOf(record) : line);
    };
    this.write(`memlane ${this.args.join(" ")}\n`);
    try {
      const { code, error } = await this.cli.follow(this.args, take, this.stop.token, this.cwd);
      if (error) this.write(error.trimEnd());
      if (code === 0 || code === 1) {
        await this.findings.replace(JSON.stringify([this.args, this.cwd]), found);
        this.write(`\n${summaryOf(found)}`);
      }
      this.ended.fire(code < 0 ? 130 : code);
    } catch (error) {
      this.write(String(error));
      this.ended.fire(2);
    }
  }

  private write(text: string): void {
    this.written.fire(`${text}\n`.replace(/\r?\n/g, "\r\n"));
  }
}
