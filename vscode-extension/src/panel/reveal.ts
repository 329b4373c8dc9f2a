/** Shows a place of a document, in the editor where it is open already. */

import * as vscode from "vscode";

/** Put the cursor there and bring it into sight; a document that is not seen yet is opened in `column`. */
export async function reveal(uri: vscode.Uri, position: vscode.Position, column = vscode.ViewColumn.One): Promise<void> {
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  const editor = await vscode.window.showTextDocument(open?.document ?? (await vscode.workspace.openTextDocument(uri)), {
    viewColumn: open?.viewColumn ?? column,
  });
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The same of a file that a program names, where that is in an open folder. */
export async function revealSource(uri: string, position: vscode.Position): Promise<void> {
  const file = vscode.Uri.parse(uri, true);
  if (vscode.workspace.getWorkspaceFolder(file)) await reveal(file, position);
}
