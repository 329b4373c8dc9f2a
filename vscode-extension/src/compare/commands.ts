/** The commands that compare: with a file, with git's HEAD, and two dumps of a log of passes. */

import * as path from "node:path";
import * as vscode from "vscode";
import type { Cli } from "../cli";
import type { Ask } from "../focus";
import { textInHead } from "./git";
import { Comparison, type Version } from "./panel";
import { passesOf } from "./passes";
import { PassesPanel, versionOf } from "./passesPanel";
import { type Pass, pairOf } from "./passWords";
import { Versions } from "./versions";

/** What comparing needs. */
export class Comparing {
  /** The texts of other versions; to be registered for their scheme. */
  readonly versions = new Versions();

  constructor(
    private readonly extension: vscode.Uri,
    private readonly ask: Ask,
    private readonly cli: Cli,
    private readonly functionHere: () => string | undefined,
  ) {}

  /** The file of the active editor, after `file` or one that the user picks. */
  async withFile(file?: vscode.Uri): Promise<void> {
    const after = active();
    const options = { title: "Compare memory with", openLabel: "Compare", filters: { MLIR: ["mlir"], "All files": ["*"] } };
    const picked = file ?? (await vscode.window.showOpenDialog(options))?.[0];
    if (!picked) return;
    const text = Buffer.from(await vscode.workspace.fs.readFile(picked)).toString("utf8");
    const title = vscode.workspace.asRelativePath(picked);
    await this.show({ title, document: await this.versions.open(title, text) }, after);
  }

  /** The file of the active editor, after what it is in git's HEAD. */
  async withHead(): Promise<void> {
    const after = active();
    const text = await textInHead(after.document.uri);
    await this.show({ title: `${after.title} (HEAD)`, document: await this.versions.open(`${after.title} (HEAD)`, text) }, after);
  }

  /** What a compiler printed after its passes, as a list; two dumps of it, where their `lines` are named. */
  async passes(file?: vscode.Uri, lines?: readonly number[]): Promise<void> {
    const options = { title: "Open a passes log", openLabel: "Open", canSelectMany: false };
    const log = (file ?? (await vscode.window.showOpenDialog(options))?.[0])?.fsPath;
    if (!log) return;
    if (lines) return this.dumps(log, lines);
    await new PassesPanel(this.extension, this.cli, this.versions, log, (before, after) => this.show(before, after)).read();
  }

  private async dumps(log: string, lines: readonly number[]): Promise<void> {
    const passes: Pass[] = [];
    await passesOf(this.cli, log, new vscode.CancellationTokenSource().token, (pass) => passes.push(pass));
    const chosen = pairOf(passes, passes.filter((pass) => lines.includes(pass.line)));
    if (!chosen) throw new Error(`no two dumps of ${path.basename(log)} have headers in these lines: ${lines.join(", ")}`);
    const [before, after] = await Promise.all(chosen.map((pass) => versionOf(this.versions, log, pass)));
    if (before && after) await this.show(before, after);
  }

  private async show(before: Version, after: Version): Promise<void> {
    await new Comparison(this.extension, this.ask, before, after).update(this.functionHere());
  }
}

function active(): Version {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "mlir") throw new Error("no MLIR file is in front");
  return { title: path.basename(document.uri.path), document };
}
