/** The memory panel: shows the function at the cursor, and follows it. One for the window. */

import * as vscode from "vscode";
import type { Ask, Focus, View as Looked } from "../focus";
import { Later } from "../later";
import { type FunctionLanes, LANES, type LanesAnswer } from "../protocol";
import { settings } from "../settings";
import { assume, given } from "./assumed";
import type { FromPanel } from "./messages";
import { functionsOf, type Named } from "./names";
import { blocksAt, picture, type Picture } from "./picture";
import { reveal, revealSource } from "./reveal";
import { View } from "./webview";

/** The kind of webview, as package.json has it. */
export const KIND = "memlane.panel";
const NAMES_REST_MS = 500;

/** Opens, fills and follows. */
export class MemoryPanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private view: View | undefined;
  private shown: { uri: string; version: number; picture: Picture; here: string } | undefined;
  /** The function that the user chose in the list; counts where the panel does not follow the cursor. */
  private chosen: string | undefined;
  /** How often lanes were asked for. A count: pages that are not there yet get the newest message alone. */
  private lanes = 0;
  private names: { uri: string; found: readonly Named[] } = { uri: "", found: [] };
  private readonly later = new Later(NAMES_REST_MS);
  private readonly following: vscode.Disposable;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly focus: Focus,
    private readonly ask: Ask,
  ) {
    this.following = focus.onView((looked) => void this.show(looked));
  }

  /** Open the panel beside the editor, or bring it to the front. */
  open(): void {
    if (this.view) return this.view.panel.reveal(undefined, true);
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.adopt(vscode.window.createWebviewPanel(KIND, "Memory", column, { retainContextWhenHidden: true }));
    void this.show(this.focus.view);
  }

  /** Open the panel with the lanes of a function of a document: the cursor goes there. */
  async openAt(uri: vscode.Uri, name: string): Promise<void> {
    this.lanes += 1;
    this.shown = undefined; // drawn anew
    this.open();
    this.focus.refresh();
    const found = (await functionsOf(uri)).find((one) => one.name === name);
    if (found) await reveal(uri, found.range.start);
  }

  /** Fill a panel that was open when the window was closed. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.view?.dispose();
    this.adopt(panel);
    this.focus.refresh();
  }

  dispose(): void {
    this.following.dispose();
    this.later.dispose();
    this.view?.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const view = new View(panel, this.extension, (message) => this.take(message));
    panel.onDidDispose(() => this.view === view && (this.view = undefined));
    panel.onDidChangeViewState(() => panel.visible && this.focus.refresh());
    this.view = view;
    this.shown = undefined;
  }

  private async show(looked: Looked | undefined): Promise<void> {
    const { view } = this;
    if (!view?.panel.visible) return;
    if (!looked) {
      if (!this.shown) view.post({ type: "nothing", why: "Open an MLIR file to see its memory." });
      return;
    }
    const lanes = await this.wanted(looked);
    if (looked !== this.focus.view) return; // the user looks at something else by now
    if (lanes) this.draw(view, looked, lanes);
    else if (this.shown?.uri !== looked.editor.document.uri.toString()) {
      this.shown = undefined;
      view.panel.title = "Memory";
      view.post({ type: "nothing", why: "There is no function with memory to show in this file." });
    }
  }

  /** The function to show: that at the cursor, the one of this file that was shown, or the next from the cursor on. */
  private async wanted(looked: Looked): Promise<FunctionLanes | undefined> {
    const { document, selection } = looked.editor;
    const uri = document.uri.toString();
    let old = this.shown?.uri === uri ? (this.chosen ?? this.shown.picture.name) : undefined;
    if (old === undefined && !looked.lanes) {
      const found = await functionsOf(document.uri);
      old = (found.find((one) => one.range.start.isAfter(selection.active)) ?? found.at(-1))?.name;
    }
    const stay = old !== undefined && (looked.lanes === undefined || !settings().panelFollows);
    if (!stay || looked.lanes?.name === old) return looked.lanes;
    const answer = await this.ask<LanesAnswer>(LANES, { textDocument: { uri }, function: old });
    return answer?.functions[0] ?? looked.lanes;
  }

  private draw(view: View, looked: Looked, lanes: FunctionLanes): void {
    const { document } = looked.editor;
    const uri = document.uri.toString();
    const next = picture(lanes, looked.editor.selection.active.line);
    const here = blocksAt(next, (looked.cursor?.buffers ?? []).map((buffer) => buffer.range.start));
    const same = this.shown?.uri === uri && this.shown.version === looked.version && this.shown.picture.name === next.name;
    // The same version may be known better now, under another configuration for example.
    if (same && JSON.stringify(this.shown?.picture) === JSON.stringify(next)) {
      if (this.shown?.here !== String(here)) view.post({ type: "here", here });
    } else {
      view.panel.title = `Memory of @${lanes.name}`;
      this.post(view, document.uri, next, here);
    }
    if (this.shown?.uri !== uri) this.chosen = undefined;
    this.shown = { uri, version: looked.version, picture: next, here: String(here) };
    this.later.run(() => void this.rename(document.uri));
  }

  private list(uri: string): string[] {
    return this.names.uri === uri ? this.names.found.map((one) => one.name) : [];
  }

  private async rename(uri: vscode.Uri): Promise<void> {
    const before = this.list(uri.toString()).join();
    this.names = { uri: uri.toString(), found: await functionsOf(uri) };
    const { shown, view } = this;
    if (before === this.list(uri.toString()).join() || shown?.uri !== uri.toString() || !view) return;
    const here = shown.here ? shown.here.split(",").map(Number) : [];
    this.post(view, uri, shown.picture, here);
  }

  private post(view: View, uri: vscode.Uri, shown: Picture, here: readonly number[]): void {
    const functions = this.list(uri.toString());
    view.post({ type: "show", picture: shown, file: vscode.workspace.asRelativePath(uri), functions, here, given: given(shown.name, shown.unknowns), lanes: this.lanes });
  }

  private async take(message: FromPanel): Promise<void> {
    if (!this.shown) return;
    const uri = vscode.Uri.parse(this.shown.uri, true);
    if (message.type === "reveal") await reveal(uri, new vscode.Position(message.line, message.character));
    if (message.type === "source") await revealSource(message.uri, new vscode.Position(message.line, message.character));
    if (message.type === "assume") await assume(this.shown.picture.name, message.name, message.value);
    if (message.type !== "function") return;
    this.chosen = message.name;
    const found = this.names.found.find((one) => one.name === message.name);
    if (found) await reveal(uri, found.range.start);
  }
}
