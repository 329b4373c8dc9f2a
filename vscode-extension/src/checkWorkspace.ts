/** *Check Workspace*: the server checks the files that are not open, and shows how far it is. */

import * as vscode from "vscode";
import type { Server } from "./client";
import { CHECK_WORKSPACE } from "./protocol";

/** The code of an answer to a request that was cancelled (LSP: RequestCancelled). */
const CANCELLED = -32800;

/** What the server says that it does. */
const TITLE = "Checking the workspace";

/** What the server answers. */
interface Checked {
  readonly files: number;
  readonly findings: number;
}

/**
 * Checks it when asked; and again for a server that starts after that: what the one before found went with it. One check
 * at a time, so that to stop the one that is shown stops all: a new one ends the one before it.
 */
export class WorkspaceCheck {
  private asked = false;
  private current?: vscode.CancellationTokenSource;

  constructor(private readonly server: Server) {}

  /** Open the list of problems and check the folder; what was found stays there, also where the user stops it. */
  async run(): Promise<void> {
    if (!vscode.workspace.workspaceFolders) {
      void vscode.window.showInformationMessage("Open a folder to check it.");
      return;
    }
    this.asked = true;
    // At once: it fills while files are checked. Not `workbench.actions.view.problems`, which closes a list that is open.
    await vscode.commands.executeCommand("workbench.panel.markers.view.focus");
    const checked = await this.check();
    if (!checked) return;
    const { files, findings } = checked;
    const text = `Memlane: ${files} file${files === 1 ? "" : "s"} checked that ${files === 1 ? "is" : "are"} not open, ${findings} finding${findings === 1 ? "" : "s"}.`;
    vscode.window.setStatusBarMessage(text, 10_000);
  }

  /** A server has started. */
  async again(): Promise<void> {
    if (this.asked) await this.check();
  }

  private async check(): Promise<Checked | undefined> {
    const mine = new vscode.CancellationTokenSource();
    this.current?.cancel();
    this.current = mine;
    await this.server.settled();
    if (mine.token.isCancellationRequested) return undefined;
    // The client's own progress is in the status bar, where nobody can stop it.
    return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: TITLE, cancellable: true }, (progress, token) => {
      let done = 0;
      this.server.progress.take(TITLE, (message, percentage) => {
        progress.report({ message, increment: percentage - done });
        done = percentage;
      });
      token.onCancellationRequested(() => mine.cancel());
      return this.answer(mine.token);
    });
  }

  private answer(token: vscode.CancellationToken): Promise<Checked | undefined> {
    const asked = this.server.request<Checked>("workspace/executeCommand", { command: CHECK_WORKSPACE, arguments: [] }, token);
    return asked.catch((error: { code?: number }) => {
      if (error.code !== CANCELLED) throw error;
      return undefined;
    });
  }
}
