/** The commands that compare: with a file, with git's HEAD, and two dumps of a log of passes. */

import * as path from "node:path";
import * as vscode from "vscode";
import type { Cli } from "../cli";
import type { Ask } from "../focus";
import { textInHead } from "./git";
import { Comparison, type Version } from "./panel";
import { choosePasses, passesOf, textOf } from "./passes";
import { pairOf } from "./passWords";
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

  /** Two dumps of what a compiler printed after its passes: of `file`, from `lines`, or as the user picks. */
  async passes(file?: vscode.Uri, lines?: readonly number[]): Promise<void> {
    const options = { title: "Open a passes log", openLabel: "Open", canSelectMany: false };
    const log = file ?? (await vscode.window.showOpenDialog(options))?.[0];
    if (!log) return;
    const progress = { location: vscode.ProgressLocation.Notification, title: `Reading ${path.basename(log.fsPath)}` };
    const passes = await vscode.window.withProgress(progress, () => passesOf(this.cli, log.fsPath));
    const chosen = lines ? pairOf(passes, passes.filter((pass) => lines.includes(pass.line))) : await choosePasses(passes);
    if (!chosen && lines) throw new Error(`no two dumps of ${path.basename(log.fsPath)} have headers in these lines: ${lines.join(", ")}`);
    if (!chosen) return;
    const [before, after] = await Promise.all(
      chosen.map(async (pass): Promise<Version> => {
        const title = `${pass.title} (line ${pass.line})`;
        return { title, document: await this.versions.open(title, await textOf(log.fsPath, pass.line)) };
      }),
    );
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
