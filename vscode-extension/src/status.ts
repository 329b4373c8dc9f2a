/** The item in the status bar: the server's state and the findings of the file. */

import * as vscode from "vscode";
import type { Server, ServerState } from "./client";
import type { Focus, View } from "./focus";
import { settings } from "./settings";
import { statusText } from "./statusText";

/** Shows the item while MLIR is edited; a click lists what can be done. */
export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("memlane.status", vscode.StatusBarAlignment.Right, 50);
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly focus: Focus,
  ) {
    this.item.name = "Memlane";
    this.subscriptions = [
      server.onState(() => this.update()),
      focus.onView(() => this.update()),
      vscode.languages.onDidChangeDiagnostics(() => this.update()),
      vscode.window.onDidChangeActiveTextEditor(() => this.update()),
    ];
    this.update();
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.item.dispose();
  }

  private update(): void {
    const document = vscode.window.activeTextEditor?.document ?? this.focus.view?.editor.document;
    if (document?.languageId !== "mlir" || !settings().statusBar) {
      this.item.hide();
      return;
    }
    const { text, tooltip, bad } = statusText(this.server.state, findings(document.uri), viewOf(this.focus.view, document), this.focus.view?.editor.document !== document);
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.command = commandFor(this.server.state);
    this.item.backgroundColor = bad ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.item.accessibilityInformation = { label: tooltip, role: "button" };
    this.item.show();
  }
}

function findings(uri: vscode.Uri): { errors: number; warnings: number; others: number } {
  const found = vscode.languages.getDiagnostics(uri).filter((one) => one.source === "memlane");
  const errors = found.filter((one) => one.severity === vscode.DiagnosticSeverity.Error).length;
  const warnings = found.filter((one) => one.severity === vscode.DiagnosticSeverity.Warning).length;
  return { errors, warnings, others: found.length - errors - warnings };
}

function viewOf(view: View | undefined, document: vscode.TextDocument): View["cursor"] {
  return view?.editor.document === document ? view.cursor : undefined;
}

function commandFor(state: ServerState): string {
  if (state === "no-python") return "memlane.selectInterpreter";
  return state === "running" ? "memlane.showMemory" : "memlane.showLogs";
}
