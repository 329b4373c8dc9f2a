/** Puts lanes beside the code, and lines under it: the decorations of one editor after the other. */

import * as vscode from "vscode";
import type { View } from "../focus";
import type { Buffer as Lane, FunctionLanes, Range } from "../protocol";
import { type Cell, cells, fitting, type LaneCells, liveLines, type Places, type Sight } from "./cells";
import { type Drawn, icon, keyOf, type Palette } from "./icon";

/** Lines above and below what is seen that are drawn as well, so that scrolling shows lanes at once. */
const MARGIN = 40;
/** Kinds of pictures that are kept; one more, and those not shown are thrown away. */
const MOST_PICTURES = 400;

/** Draws `View`s. Pictures are decoration types of VS Code, one for each way that a line may look. */
export class Painter implements vscode.Disposable {
  private readonly pictures = new Map<string, vscode.TextEditorDecorationType>();
  private shown = new Set<string>();
  private places: Places = [];
  private editor: vscode.TextEditor | undefined;
  private readonly definite = underline("solid", "memlane.liveRange");
  private readonly possible = underline("dashed", "memlane.possibleRange");

  constructor(private palette: Palette) {}

  /** Draw from now on in these colours. */
  recolour(palette: Palette): void {
    this.clear();
    for (const type of this.pictures.values()) type.dispose();
    this.pictures.clear();
    this.palette = palette;
  }

  /** Show the lanes of a view, at most `most`, and if asked for the `ranges` of the buffer at the cursor; nothing removes what was shown. */
  show(view: View | undefined, most: number, ranges: boolean): void {
    if (this.editor && this.editor !== view?.editor) this.clear();
    this.editor = view?.editor;
    if (!view) return;
    if (!view.lanes) return this.clear();
    const here = chosen(view, view.lanes);
    const sight = inSight(view.editor, view.lanes);
    this.lanes(view.lanes, here, most, sight);
    const lines = liveLines(view.lanes, ranges ? here : [], here.length === 1, sight);
    view.editor.setDecorations(this.definite, lines.definite.flatMap((run) => rangesOf(view.editor.document, run)));
    view.editor.setDecorations(this.possible, lines.possible.flatMap((run) => rangesOf(view.editor.document, run)));
  }

  /** Remove everything. */
  clear(): void {
    for (const key of this.shown) this.set(key, []);
    this.shown.clear();
    this.editor?.setDecorations(this.definite, []);
    this.editor?.setDecorations(this.possible, []);
  }

  dispose(): void {
    this.clear();
    for (const type of [...this.pictures.values(), this.definite, this.possible]) type.dispose();
  }

  private lanes(lanes: FunctionLanes, here: readonly Lane[], most: number, sight: Sight): void {
    // The buffer at the cursor is always among them.
    this.places = fitting(lanes, most, sight, here, this.places);
    const rows = this.rows(this.places.map((place) => cells(lanes, place, sight)), here, sight);
    for (const key of this.shown) if (!rows.has(key)) this.set(key, []);
    for (const [key, lines] of rows) this.set(key, lines);
    this.shown = new Set(rows.keys());
    if (this.pictures.size > MOST_PICTURES) this.forget();
  }

  private rows(places: readonly (readonly LaneCells[])[], here: readonly Lane[], sight: Sight): Map<string, vscode.DecorationOptions[]> {
    const rows = new Map<string, vscode.DecorationOptions[]>();
    for (let line = sight.from; line <= sight.to; line++) {
      const all = places.map((place) => place.find((one) => one.cells.has(line)));
      const row = all.map((one): Drawn => ({ cell: one?.cells.get(line), dim: here.length > 0 && !(one && here.includes(one.buffer)) }));
      if (!row.some((one) => one.cell)) continue;
      const key = keyOf(row);
      if (!this.pictures.has(key)) this.pictures.set(key, picture(icon(row, this.palette)));
      const decorations = rows.get(key) ?? rows.set(key, []).get(key) ?? [];
      decorations.push({ range: new vscode.Range(line, 0, line, 0), hoverMessage: says(all, line) });
    }
    return rows;
  }

  private set(key: string, lines: vscode.DecorationOptions[]): void {
    const type = this.pictures.get(key);
    if (type) this.editor?.setDecorations(type, lines);
  }

  private forget(): void {
    for (const [key, type] of this.pictures) {
      if (this.shown.has(key)) continue;
      type.dispose();
      this.pictures.delete(key);
    }
  }
}

/** The buffers that the name at the cursor may stand for. */
function chosen(view: View, lanes: FunctionLanes): Lane[] {
  const places = (view.cursor?.buffers ?? []).map(({ range }) => placeOf(range));
  return lanes.buffers.filter(({ range }) => places.includes(placeOf(range)));
}

function placeOf(range: Range): string {
  return `${range.start.line}:${range.start.character}`;
}

/** The lines of the function that are on the screen, or will be after a little scrolling. */
function inSight(editor: vscode.TextEditor, lanes: FunctionLanes): Sight {
  const first = editor.visibleRanges[0]?.start.line ?? 0;
  const last = editor.visibleRanges.at(-1)?.end.line ?? first;
  const end = Math.min(lanes.range.end.line, editor.document.lineCount - 1);
  return { from: Math.max(first - MARGIN, lanes.range.start.line), to: Math.min(last + MARGIN, end) };
}

const WORDS: Record<Cell["state"], string> = {
  "in-use": "in use",
  held: "held after its last use",
  leaked: "leaked",
  "handed-over": "handed over",
};

/** What the lanes of a line mean, for those who hover. */
function says(all: readonly (LaneCells | undefined)[], line: number): string {
  const said = all.flatMap((one) => {
    const cell = one?.cells.get(line);
    if (!one || !cell) return [];
    const { buffer } = one;
    const size = buffer.size ? `, ${buffer.size.label}` : "";
    return [`\`${buffer.name}\`${size}: ${cell.freed ? "freed here" : WORDS[cell.state]}${cell.some ? " on some paths" : ""}`];
  });
  return said.join("  \n");
}

function picture(svg: string): vscode.TextEditorDecorationType {
  const gutterIconPath = vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`);
  return vscode.window.createTextEditorDecorationType({ gutterIconPath, gutterIconSize: "100% 100%" });
}

function underline(style: "solid" | "dashed", colour: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    borderStyle: style,
    borderWidth: "0 0 1px 0",
    borderColor: new vscode.ThemeColor(colour),
    overviewRulerColor: new vscode.ThemeColor(colour),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}

function rangesOf(document: vscode.TextDocument, [first, last]: readonly [number, number]): vscode.Range[] {
  const found: vscode.Range[] = [];
  for (let line = first; line <= Math.min(last, document.lineCount - 1); line++) {
    const { firstNonWhitespaceCharacterIndex: start, range } = document.lineAt(line);
    if (start < range.end.character) found.push(new vscode.Range(line, start, line, range.end.character));
  }
  return found;
}
