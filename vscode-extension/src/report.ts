/** *Report a Problem*: a page with what the user agrees to, to be read, copied and sent by the user. Nothing is sent. */

import * as path from "node:path";
import * as vscode from "vscode";
import type { Server } from "./client";
import { gathered, type InformationPage, withoutHome } from "./debug";

/** What goes into a report. */
interface Part extends vscode.QuickPickItem {
  readonly text: () => Promise<string>;
}

/** Ask what shall be in it, and show the page. */
export async function reportProblem(server: Server, version: string, page: InformationPage, log: readonly string[]): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const parts: Part[] = [
    { label: "Versions and settings", description: "of Memlane, the editor and Python", picked: true, text: async () => `## Versions and settings\n\n${await gathered(server, version)}` },
    { label: "Log", description: "its newest lines; names of files, and texts where messages are traced", picked: true, text: async () => `## Log\n\n${fenced("text", log.join("\n"))}` },
  ];
  if (document?.languageId === "mlir") {
    const lines = document.lineCount;
    parts.push({ label: `Text of ${path.basename(document.uri.path)}`, description: `${lines} line${lines === 1 ? "" : "s"}`, text: async () => `## Text\n\n${fenced("mlir", document.getText())}` });
  }
  const title = "Report a problem: what shall be in the report?";
  const chosen = await vscode.window.showQuickPick(parts, { title, placeHolder: "The report is shown to you. Nothing is sent.", canPickMany: true });
  if (!chosen) return;
  const texts = await Promise.all(chosen.map((part) => part.text()));
  const text = ["# Memlane: a problem\n\nWhat happened, and what was expected instead:\n", ...texts].join("\n");
  await page.show(text, "Memlane report");
  const copy = "Copy";
  if ((await vscode.window.showInformationMessage("The report is ready. Nothing was sent.", copy)) === copy) await vscode.env.clipboard.writeText(withoutHome(text));
}

/** A block of Markdown, whatever is in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((found) => found[0].length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}\n`;
}
