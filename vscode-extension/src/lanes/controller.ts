/** When lanes are drawn: as the view, the settings, the theme or what is scrolled into sight change. */

import * as vscode from "vscode";
import type { Focus } from "../focus";
import { Later } from "../later";
import { settings } from "../settings";
import type { Palette } from "./icon";
import { type Declared, type Kind, palette } from "./palette";
import { Painter } from "./painter";

const SCROLL_REST_MS = 30;

/** Draws the lanes of what `focus` looks at. */
export class Lanes implements vscode.Disposable {
  private readonly painter: Painter;
  private readonly later = new Later(SCROLL_REST_MS);
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly focus: Focus,
    private readonly declared: readonly Declared[],
  ) {
    this.painter = new Painter(this.colours());
    this.subscriptions = [
      focus.onView(() => this.draw()),
      vscode.window.onDidChangeTextEditorVisibleRanges((event) => {
        if (event.textEditor === focus.view?.editor) this.later.run(() => this.draw());
      }),
      vscode.window.onDidChangeActiveColorTheme(() => this.recolour()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("workbench.colorCustomizations")) this.recolour();
        if (event.affectsConfiguration("memlane.lanes")) this.draw();
      }),
    ];
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.later.dispose();
    this.painter.dispose();
  }

  private draw(): void {
    const { lanes, lanesMost, ranges } = settings();
    const { view } = this.focus;
    // Text that has moved on is drawn when its own view comes: lanes in wrong lines are worse than old ones for a moment.
    if (view && view.editor.document.version !== view.version) return;
    if (lanes) this.painter.show(view, lanesMost, ranges);
    else this.painter.clear();
  }

  private recolour(): void {
    this.painter.recolour(this.colours());
    this.draw();
  }

  private colours(): Palette {
    const workbench = vscode.workspace.getConfiguration("workbench");
    const customized = workbench.get<Record<string, unknown>>("colorCustomizations", {});
    return palette(this.declared, KINDS[vscode.window.activeColorTheme.kind], customized, workbench.get("colorTheme", ""));
  }
}

const KINDS: Record<vscode.ColorThemeKind, Kind> = {
  [vscode.ColorThemeKind.Light]: "light",
  [vscode.ColorThemeKind.Dark]: "dark",
  [vscode.ColorThemeKind.HighContrast]: "highContrast",
  [vscode.ColorThemeKind.HighContrastLight]: "highContrastLight",
};
