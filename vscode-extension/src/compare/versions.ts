/** Other versions of a program as documents of their own: read only, known to the server, closed with the window. */

import * as path from "node:path";
import * as vscode from "vscode";
import { VERSIONS } from "../schemes";

/** Holds the texts of versions, and gives them to VS Code. */
export class Versions implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private count = 0;

  /** A document with this text; `title` is what its tab says. */
  async open(title: string, text: string): Promise<vscode.TextDocument> {
    const name = `${path.basename(title).replace(/[\\/?#]+/g, " ").replace(/\.mlir$/, "")}.mlir`;
    const uri = vscode.Uri.from({ scheme: VERSIONS, path: `/${(this.count += 1)}/${name}` });
    this.texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    return document.languageId === "mlir" ? document : vscode.languages.setTextDocumentLanguage(document, "mlir");
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "// This version is no longer known: compare again.\n";
  }
}
