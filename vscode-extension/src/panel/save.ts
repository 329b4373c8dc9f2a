/** Writes pictures that the panel made where the user wants them. */

import * as vscode from "vscode";
import type { FromPanel } from "./messages";

/** Ask where to, and write. */
export async function savePicture(message: Extract<FromPanel, { type: "save" }>): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${message.name.replace(/[^\w.-]+/g, "_") || "memory"}.${message.format}`;
  const filters = { [message.format.toUpperCase()]: [message.format] };
  const to = await vscode.window.showSaveDialog({ filters, ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}) });
  if (!to) return;
  try {
    await vscode.workspace.fs.writeFile(to, Buffer.from(message.base64, "base64"));
  } catch (error) {
    void vscode.window.showErrorMessage(`Memlane: the picture could not be saved: ${String(error)}`);
  }
}
