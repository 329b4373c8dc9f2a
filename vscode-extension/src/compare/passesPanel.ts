/** The passes of a log: a row for each, culprits first. A click opens its dump, two that are selected are compared. */

import { statSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Cli } from "../cli";
import type { FromPanel } from "../panel/messages";
import { reveal } from "../panel/reveal";
import { View } from "../panel/webview";
import type { Version } from "./panel";
import { passesOf, textOf } from "./passes";
import { culprits, type Pass, pairOf } from "./passWords";
import type { Versions } from "./versions";

const REST_MS = 500;

/** Shows a log until its panel is closed. */
export class PassesPanel {
  private readonly view: View;
  private readonly passes: Pass[] = [];
  private readonly dumps = new Map<Pass, Promise<Version>>();
  private readonly closed = new vscode.CancellationTokenSource();
  private state: "reading" | "stopped" | "read" = "reading";
  private sent = 0;

  /** @param compare shows two versions beside each other. */
  constructor(
    extension: vscode.Uri,
    private readonly cli: Cli,
    private readonly versions: Versions,
    private readonly log: string,
    private readonly compare: (before: Version, after: Version) => Promise<void>,
  ) {
    const panel = vscode.window.createWebviewPanel("memlane.passes", path.basename(log), vscode.ViewColumn.Active, { retainContextWhenHidden: true });
    this.view = new View(panel, extension, (message) => this.take(message));
    panel.onDidDispose(() => this.closed.cancel());
    this.show();
  }

  /** Read the log; rows are shown as they come. Rejects where there is nothing to show. */
  async read(): Promise<void> {
    const options = { location: vscode.ProgressLocation.Notification, title: `Reading ${path.basename(this.log)}`, cancellable: true };
    try {
      await vscode.window.withProgress(options, (progress, token) => this.follow(progress, token));
    } catch (error) {
      this.view.dispose();
      throw error;
    }
    if (!this.closed.token.isCancellationRequested) this.show();
  }

  private async follow(progress: vscode.Progress<{ message: string; increment: number }>, token: vscode.CancellationToken): Promise<void> {
    const size = statSync(this.log).isFile() ? statSync(this.log).size : 0;
    const stop = new vscode.CancellationTokenSource();
    const stopping = [token, this.closed.token].map((one) => one.onCancellationRequested(() => stop.cancel()));
    let share = 0;
    try {
      await passesOf(this.cli, this.log, stop.token, (pass) => {
        this.passes.push(pass);
        const now = size > 0 ? Math.min(100, (100 * pass.read) / size) : 0;
        if (now >= share + 1 || size === 0) {
          progress.report({ message: `${this.passes.length} dumps, ${pass.title}`, increment: now - share });
          share = now;
        }
        // Not at each row, and the rarer the more there are: all of them are sent.
        if (Date.now() > this.sent + REST_MS + this.passes.length) this.show();
      });
    } finally {
      for (const one of stopping) one.dispose();
    }
    this.state = token.isCancellationRequested ? "stopped" : "read";
  }

  private show(): void {
    this.sent = Date.now();
    const first = culprits(this.passes).map((pass) => this.passes.indexOf(pass));
    this.view.post({ type: "passes", file: path.basename(this.log), passes: this.passes, culprits: first, state: this.state });
  }

  private async take(message: FromPanel): Promise<void> {
    if (message.type === "dump") await this.open(message.pass, message.line);
    if (message.type === "comparePasses") await this.pair(message.passes);
  }

  /** Show a dump at a line of the log. */
  private async open(index: number, line: number): Promise<void> {
    const pass = this.passes[index];
    if (!pass) return;
    const { document } = await this.version(pass);
    const at = Math.max(0, Math.min(document.lineCount - 1, line - pass.line - 1));
    const column = document.lineAt(at).firstNonWhitespaceCharacterIndex;
    await reveal(document.uri, new vscode.Position(at, column), vscode.ViewColumn.Beside);
  }

  private async pair(indices: readonly number[]): Promise<void> {
    const pair = pairOf(this.passes, indices.flatMap((index) => this.passes[index] ?? []));
    if (!pair) return;
    const [before, after] = await Promise.all(pair.map((pass) => this.version(pass)));
    if (before && after) await this.compare(before, after);
  }

  private version(pass: Pass): Promise<Version> {
    const known = this.dumps.get(pass) ?? versionOf(this.versions, this.log, pass);
    this.dumps.set(pass, known);
    return known;
  }
}

/** A dump as a document. */
export async function versionOf(versions: Versions, log: string, pass: Pass): Promise<Version> {
  const title = `${pass.title} (line ${pass.line})`;
  return { title, document: await versions.open(title, await textOf(pass.file ?? log, pass.line)) };
}
