/** The functions of a document, for the list in the panel. */

import * as vscode from "vscode";

/** A function and where its name stands. */
export interface Named {
  readonly name: string;
  readonly range: vscode.Range;
}

/** The functions of a document in the order of the text, those in modules too. */
export async function functionsOf(uri: vscode.Uri): Promise<Named[]> {
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", uri);
  const found: Named[] = [];
  const left = [...(symbols ?? [])].reverse();
  for (let one = left.pop(); one; one = left.pop()) {
    if (one.kind === vscode.SymbolKind.Function) found.push({ name: one.name.replace(/^@/, ""), range: one.selectionRange });
    else left.push(...[...(one.children ?? [])].reverse());
  }
  return found;
}
