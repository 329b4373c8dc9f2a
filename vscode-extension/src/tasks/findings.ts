/**
 * What tasks found, among the problems. The owner is not the server's: neither empties what the other shows. What the
 * server shows of a file is newer, and is not shown twice.
 */

import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { inUnits, type Record, type Said } from "./records";

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** The findings of one file, and the task that found them. */
interface Entry {
  readonly task: string;
  readonly uri: vscode.Uri;
  readonly found: readonly vscode.Diagnostic[];
}

/** The findings of all tasks. */
export class TaskFindings implements vscode.Disposable {
  private readonly shown = vscode.languages.createDiagnosticCollection("memlane-task");
  private readonly known = new Map<string, Entry>();
  private readonly subscriptions = [
    vscode.window.tabGroups.onDidChangeTabs(() => this.update([...this.known.keys()])),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => this.update(uris.map(String))),
    vscode.workspace.onDidChangeTextDocument(({ document }) => this.forget(document.uri.toString())),
  ];

  /** A task ended: show what it found in place of what it found before. */
  async replace(task: string, records: readonly Record[]): Promise<void> {
    const byFile = new Map<string, Record[]>();
    for (const one of records) byFile.set(one.filename, [...(byFile.get(one.filename) ?? []), one]);
    const entries = await Promise.all([...byFile].map(([file, found]) => entryOf(task, file, found)));
    for (const [key, entry] of this.known) if (entry.task === task) this.forget(key);
    for (const entry of entries) this.known.set(entry.uri.toString(), entry);
    this.update([...this.known.keys()]);
  }

  dispose(): void {
    for (const one of [...this.subscriptions, this.shown]) one.dispose();
  }

  /** The text is another now. */
  private forget(key: string): void {
    const entry = this.known.get(key);
    if (!entry) return;
    this.known.delete(key);
    this.shown.delete(entry.uri);
  }

  private update(keys: readonly string[]): void {
    if (this.known.size === 0) return;
    const open = inTabs();
    for (const key of keys) {
      const entry = this.known.get(key);
      if (!entry) continue;
      const wanted = !open.has(key) && !this.elsewhere(entry.uri);
      if (wanted !== this.shown.has(entry.uri)) this.shown.set(entry.uri, wanted ? entry.found : undefined);
    }
  }

  /** Whether the server shows findings of a file that is not open. */
  private elsewhere(uri: vscode.Uri): boolean {
    const all = vscode.languages.getDiagnostics(uri).filter((one) => one.source === "memlane");
    return all.length > (this.shown.get(uri)?.length ?? 0);
  }
}

function inTabs(): Set<string> {
  const inputs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).map((tab) => tab.input);
  const uris = inputs.map((input) => (input instanceof vscode.TabInputText ? input.uri : input instanceof vscode.TabInputTextDiff ? input.modified : undefined));
  return new Set(uris.map(String));
}

async function entryOf(task: string, file: string, records: readonly Record[]): Promise<Entry> {
  const lines = await readFile(file, "utf8").then((text) => text.split(/\r\n|\r|\n/), () => []);
  const uri = vscode.Uri.file(file);
  return { task, uri, found: records.map((one) => diagnosticOf(one, uri, lines)) };
}

function diagnosticOf(one: Record, uri: vscode.Uri, lines: readonly string[]): vscode.Diagnostic {
  const made = new vscode.Diagnostic(rangeOf(one, lines), one.message, SEVERITIES[one.severity]);
  made.source = "memlane";
  made.code = { value: one.rule, target: vscode.Uri.parse(one.url) };
  made.relatedInformation = one.notes.map((note) => new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, rangeOf(note, lines)), note.message));
  return made;
}

function rangeOf({ location, end_location: end }: Said, lines: readonly string[]): vscode.Range {
  const [from, to] = [inUnits(location, lines), inUnits(end, lines)];
  return new vscode.Range(from.line, from.character, to.line, to.character);
}
