/** The pages of rules, shown in the editor. */

import * as vscode from "vscode";
import type { Cli } from "./cli";

/** The scheme of the pages. */
export const RULE_PAGES = "memlane-rule";

interface Rule {
  readonly name: string;
  readonly severity: string;
  readonly summary: string;
}

/** Gives the text of a page, `memlane-rule:/leak.md`. */
export class RulePages implements vscode.TextDocumentContentProvider {
  constructor(private readonly cli: Cli) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { code, out, error } = await this.cli.run(["explain", uri.path.slice(1).replace(/\.md$/, "")]);
    return code === 0 ? `# ${out}` : error;
  }
}

/** Let the user pick a rule, those found at the cursor first, and show its page. */
export async function explainRule(cli: Cli, name?: string): Promise<void> {
  const wanted = name ?? (await pick(cli));
  if (!wanted) return;
  await vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.from({ scheme: RULE_PAGES, path: `/${wanted}.md` }));
}

async function pick(cli: Cli): Promise<string | undefined> {
  const here = rulesAtCursor();
  const rules = JSON.parse((await cli.run(["rules", "--output-format", "json"])).out) as Rule[];
  const items = rules.map((rule) => ({ label: rule.name, description: rule.severity, detail: rule.summary }));
  items.sort((a, b) => Number(here.has(b.label)) - Number(here.has(a.label)));
  return (await vscode.window.showQuickPick(items, { title: "Explain a rule", matchOnDetail: true }))?.label;
}

function rulesAtCursor(): Set<string> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return new Set();
  const line = editor.selection.active.line;
  const found = vscode.languages.getDiagnostics(editor.document.uri).filter((one) => one.source === "memlane");
  return new Set(found.filter((one) => one.range.start.line <= line && line <= one.range.end.line).map(codeOf));
}

function codeOf(diagnostic: vscode.Diagnostic): string {
  const { code } = diagnostic;
  return String(typeof code === "object" ? code.value : code);
}
