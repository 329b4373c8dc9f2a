/** What somebody needs to know to help: versions, how the server was started, settings. Nothing of the user's code. */

import * as os from "node:os";
import * as vscode from "vscode";
import type { Server } from "./client";
import { INFORMATION } from "./protocol";

/** Open a page with it. */
export async function showDebugInformation(server: Server, version: string): Promise<void> {
  const told = await server.request("workspace/executeCommand", { command: INFORMATION, arguments: [] }).catch(String);
  const content = JSON.stringify({ ...information(server, version), server: told ?? null }, undefined, 2);
  const text = `# Memlane: debug information\n\nHome directories are shown as \`~\`.\n\n\`\`\`json\n${content}\n\`\`\`\n`;
  const home = os.homedir();
  const document = await vscode.workspace.openTextDocument({
    language: "markdown",
    content: home.length > 1 ? text.replaceAll(home, "~") : text,
  });
  await vscode.window.showTextDocument(document);
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
