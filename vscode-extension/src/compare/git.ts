/** A file as it is in git's HEAD, through the editor's own git extension: nothing is run by us. */

import * as vscode from "vscode";

/** The part of the git extension that is used. */
interface Git {
  getAPI(version: 1): { getRepository(uri: vscode.Uri): { show(ref: string, path: string): Promise<string> } | null };
}

/** The text of a file in HEAD. Rejects, with a readable reason, where there is no such text. */
export async function textInHead(uri: vscode.Uri): Promise<string> {
  const extension = vscode.extensions.getExtension<Git>("vscode.git");
  if (!extension) throw new Error("the Git extension of the editor is not there, or is disabled");
  const repository = (await extension.activate()).getAPI(1).getRepository(uri);
  if (!repository) throw new Error(`${vscode.workspace.asRelativePath(uri)} is in no git repository that the editor has open`);
  try {
    return await repository.show("HEAD", uri.fsPath);
  } catch (error) {
    throw new Error(`git has no ${vscode.workspace.asRelativePath(uri)} in HEAD`, { cause: error });
  }
}
