/** What a bug report needs: versions, how the server was started, settings. Nothing of the user's code. */

import * as os from "node:os";
import * as vscode from "vscode";
import type { Server } from "./client";
import { INFORMATION } from "./protocol";

/** The scheme of the page, which is read-only and never asks to be saved. */
export const INFORMATION_PAGE = "memlane-information";

/** The page, as it was asked for last. */
export class InformationPage implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private text = "";
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(INFORMATION_PAGE, this);

  provideTextDocumentContent(): string {
    return this.text;
  }

  /** Show the page with another text. */
  async show(text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: INFORMATION_PAGE, path: "/Memlane debug information.md" });
    this.text = text;
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

/** Open a page with it. */
export async function showDebugInformation(server: Server, version: string, page: InformationPage): Promise<void> {
  const told = await server.request("workspace/executeCommand", { command: INFORMATION, arguments: [] }).catch(String);
  const content = JSON.stringify({ ...information(server, version), server: told ?? null }, undefined, 2);
  const text = `# Memlane: debug information\n\nHome directories are shown as \`~\`.\n\n\`\`\`json\n${content}\n\`\`\`\n`;
  const home = os.homedir();
  await page.show(home.length > 1 ? text.replaceAll(home, "~") : text);
}

function information(server: Server, version: string): object {
  return {
    memlane: version,
    editor: `${vscode.env.appName} ${vscode.version}`,
    host: { platform: process.platform, arch: process.arch, node: process.version, remote: vscode.env.remoteName ?? null },
    trusted: vscode.workspace.isTrusted,
    state: server.state,
    python: server.found.interpreter ?? null,
    rejected: server.found.rejected,
    launch: server.launch ?? null,
    llvmExtension: vscode.extensions.getExtension("llvm-vs-code-extensions.vscode-mlir")?.packageJSON?.version ?? null,
    documents: vscode.workspace.textDocuments
      .filter((document) => document.languageId === "mlir")
      .map(({ uri, lineCount, version: edits }) => ({ scheme: uri.scheme, lines: lineCount, version: edits })),
    settings: vscode.workspace.getConfiguration("memlane"),
    capabilities: server.capabilities ?? null,
  };
}
