/** The comparison: two versions of a program, function by function, in a panel. The later one may be edited. */

import * as vscode from "vscode";
import type { Ask } from "../focus";
import { Later } from "../later";
import type { FromPanel } from "../panel/messages";
import { picture, type Picture } from "../panel/picture";
import { reveal } from "../panel/reveal";
import { View } from "../panel/webview";
import { LANES, type LanesAnswer } from "../protocol";
import { moves } from "./moves";

const REST_MS = 250;

/** One version: a document, and what to call it. */
export interface Version {
  readonly title: string;
  readonly document: vscode.TextDocument;
}

/** Shows a comparison until its panel is closed. */
export class Comparison {
  private readonly view: View;
  private readonly later = new Later(REST_MS);
  private sides: { before: Map<string, Picture>; after: Map<string, Picture> } = { before: new Map(), after: new Map() };
  private name: string | undefined;

  constructor(
    extension: vscode.Uri,
    private readonly ask: Ask,
    private readonly before: Version,
    private readonly after: Version,
  ) {
    const title = `${before.title} → ${after.title}`;
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel("memlane.comparison", title, column, { retainContextWhenHidden: true });
    this.view = new View(panel, extension, (message) => this.take(message));
    const changes = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === after.document) this.later.run(() => void this.update());
    });
    panel.onDidDispose(() => {
      changes.dispose();
      this.later.dispose();
    });
  }

  /** Ask for both versions and show them; `name` is the function to start with. */
  async update(name?: string): Promise<void> {
    const [before, after] = await Promise.all([this.pictures(this.before.document), this.pictures(this.after.document)]);
    this.sides = { before, after };
    this.name ??= name && (before.has(name) || after.has(name)) ? name : this.mostChanged();
    this.show();
  }

  private async pictures(document: vscode.TextDocument): Promise<Map<string, Picture>> {
    const answer = await this.ask<LanesAnswer>(LANES, { textDocument: { uri: document.uri.toString() } });
    return new Map((answer?.functions ?? []).map((one) => [one.name, picture(one)]));
  }

  /** A function in both versions. Two programs of one function each are compared whatever they call it. */
  private pair(name: string): { before: Picture | null; after: Picture | null } {
    const { before, after } = this.sides;
    if (before.size === 1 && after.size === 1) return { before: [...before.values()][0] ?? null, after: [...after.values()][0] ?? null };
    return { before: before.get(name) ?? null, after: after.get(name) ?? null };
  }

  private names(): string[] {
    if (this.sides.before.size === 1 && this.sides.after.size === 1) return [...this.sides.after.keys()];
    return [...new Set([...this.sides.after.keys(), ...this.sides.before.keys()])];
  }

  /** The function with the most differences. */
  private mostChanged(): string | undefined {
    const count = (name: string): number => {
      const { before, after } = this.pair(name);
      return moves(before, after).length;
    };
    return this.names().sort((a, b) => count(b) - count(a))[0];
  }

  private show(): void {
    const functions = this.names();
    const name = this.name !== undefined && functions.includes(this.name) ? this.name : functions[0];
    if (name === undefined) return this.view.post({ type: "nothing", why: "Neither version allocates a buffer." });
    const { before, after } = this.pair(name);
    this.view.post({
      type: "compare",
      name,
      functions,
      before: { title: this.before.title, picture: before },
      after: { title: this.after.title, picture: after },
      moves: moves(before, after),
    });
  }

  private async take(message: FromPanel): Promise<void> {
    if (message.type === "function") {
      this.name = message.name;
      this.show();
    }
    if (message.type !== "reveal") return;
    const { document } = message.side === "before" ? this.before : this.after;
    await reveal(document.uri, new vscode.Position(message.line, message.character));
  }
}
