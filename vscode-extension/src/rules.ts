/** The pages of rules, shown in the editor. */

import * as vscode from "vscode";
import type { Cli } from "./cli";

/** The scheme of the pages. */
export const RULE_PAGES = "memlane-rule";

/** As `memlane rules --output-format json` prints them. */
interface Rule {
  readonly rule: string;
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
  const items = choices((await cli.run(["rules", "--output-format", "json"])).out, here);
  return (await vscode.window.showQuickPick(items, { title: "Explain a rule", matchOnDetail: true }))?.label;
}

/** What the user picks from, out of what the command line printed: the rules in `here` first. */
export function choices(printed: string, here: ReadonlySet<string>): vscode.QuickPickItem[] {
  const rules = JSON.parse(printed) as Rule[];
  const items = rules.map(({ rule, severity, summary }) => ({ label: rule, description: severity, detail: summary }));
  return items.sort((a, b) => Number(here.has(b.label)) - Number(here.has(a.label)));
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
