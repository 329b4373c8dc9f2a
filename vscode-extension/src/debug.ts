/** What a bug report needs: versions, how the server was started, settings. Nothing of the user's code. */

import * as os from "node:os";
import * as vscode from "vscode";
import type { Server } from "./client";
import { INFORMATION } from "./protocol";

/** The scheme of the page, which is read-only and never asks to be saved. */
export const INFORMATION_PAGE = "memlane-information";

/** The pages, as they were asked for last. */
export class InformationPage implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(INFORMATION_PAGE, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  /** Show a page with another text, without the names of home directories. */
  async show(text: string, name = "Memlane debug information"): Promise<void> {
    const uri = vscode.Uri.from({ scheme: INFORMATION_PAGE, path: `/${name}.md` });
    this.texts.set(uri.path, withoutHome(text));
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
  await page.show(`# Memlane: debug information\n\nHome directories are shown as \`~\`.\n\n${await gathered(server, version)}`);
}

/** All of it, as a block of JSON. */
export async function gathered(server: Server, version: string): Promise<string> {
  const told = await server.request("workspace/executeCommand", { command: INFORMATION, arguments: [] }).catch(String);
  return `\`\`\`json\n${JSON.stringify({ ...information(server, version), server: told ?? null }, undefined, 2)}\n\`\`\`\n`;
}

/** A text with `~` for home directories. */
export function withoutHome(text: string): string {
  const home = os.homedir();
  return home.length > 1 ? text.replaceAll(home, "~") : text;
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
