/** *Check Workspace*: the server checks the files that are not open, and shows how far it is. */

import * as vscode from "vscode";
import type { Server } from "./client";
import { CHECK_WORKSPACE } from "./protocol";

/** The code of an answer to a request that was cancelled (LSP: RequestCancelled). */
const CANCELLED = -32800;

/** Check it; what was found is among the problems, also where the user stops it. */
export async function checkWorkspace(server: Server): Promise<void> {
  if (!vscode.workspace.workspaceFolders) {
    void vscode.window.showInformationMessage("Open a folder to check it.");
    return;
  }
  await server.settled();
  const asked = server.request<{ files: number; findings: number }>("workspace/executeCommand", { command: CHECK_WORKSPACE, arguments: [] });
  const checked = await asked.catch((error: { code?: number }) => {
    if (error.code !== CANCELLED) throw error;
    return undefined;
  });
  if (!checked) return;
  await vscode.commands.executeCommand("workbench.actions.view.problems");
  const { files, findings } = checked;
  const text = `Memlane: ${files} file${files === 1 ? "" : "s"} checked that ${files === 1 ? "is" : "are"} not open, ${findings} finding${findings === 1 ? "" : "s"}.`;
  vscode.window.setStatusBarMessage(text, 10_000);
}
