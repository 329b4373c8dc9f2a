/** What the user looks at: the function and the buffers at the cursor, in the newest version of the document. */

import * as vscode from "vscode";
import { CURSOR, type CursorAnswer, type FunctionLanes, LANES, type LanesAnswer } from "./protocol";
import { Later } from "./later";

/** What is shown of the place of the cursor; `lanes` is missing outside of functions. */
export interface View {
  readonly editor: vscode.TextEditor;
  readonly version: number;
  readonly lanes: FunctionLanes | undefined;
  readonly cursor: CursorAnswer | undefined;
}

/** How the server is asked; see `Server.request`. */
export type Ask = <T>(method: string, params: unknown, token?: vscode.CancellationToken) => Promise<T | undefined>;

/** The delay, in milliseconds, between the last cursor movement or edit and the update that follows it. */
const REST_MS = 60;
/** Where answers take long, the rest is as long as half of the last answer took, and no longer than this. */
const LONGEST_REST_MS = 1000;

/** The code of an answer to a question about a document that has changed meanwhile (LSP: ContentModified). */
const CONTENT_MODIFIED = -32801;

function isOutdated(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === CONTENT_MODIFIED;
}

/** Follows the active editor, and fires when there is something else to show. */
export class Focus implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<View | undefined>();
  private readonly subscriptions: vscode.Disposable[];
  private readonly later = new Later(REST_MS);
  private asking: vscode.CancellationTokenSource | undefined;
  private editor: vscode.TextEditor | undefined;
  private took = 0;

  /** Fires with what is to be shown now: nothing where no MLIR is edited. */
  readonly onView = this.changed.event;
  /** What was shown last. */
  view: View | undefined;

  constructor(
    private readonly ask: Ask,
    private readonly failed: (text: string) => void,
  ) {
    this.subscriptions = [
      vscode.window.onDidChangeActiveTextEditor(() => this.refresh()),
      vscode.window.onDidChangeTextEditorSelection((event) => event.textEditor === this.editor && this.refresh()),
      vscode.workspace.onDidChangeTextDocument((event) => event.document === this.editor?.document && this.refresh()),
    ];
  }

  /** Ask again, after a moment: the cursor moved, the text or what is known of it changed. */
  refresh(): void {
    this.later.run(() => void this.look(), Math.min(this.took / 2, LONGEST_REST_MS));
  }

  dispose(): void {
    this.asking?.cancel();
    this.later.dispose();
    for (const one of this.subscriptions) one.dispose();
    this.changed.dispose();
  }

  private async look(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    // Focus in a panel or an output leaves what is shown as it is; another kind of editor ends it.
    if (!editor && this.editor && vscode.window.visibleTextEditors.includes(this.editor)) return this.askAbout(this.editor);
    this.editor = editor?.document.languageId === "mlir" ? editor : undefined;
    if (this.editor) return this.askAbout(this.editor);
    this.show(undefined);
  }

  private async askAbout(editor: vscode.TextEditor): Promise<void> {
    this.asking?.cancel();
    const source = (this.asking = new vscode.CancellationTokenSource());
    const { document } = editor;
    const version = document.version;
    const start = Date.now();
    const params = { textDocument: { uri: document.uri.toString() }, position: editor.selection.active };
    try {
      const [lanes, cursor] = await Promise.all([
        this.ask<LanesAnswer>(LANES, params, source.token),
        this.ask<CursorAnswer>(CURSOR, params, source.token),
      ]);
      if (source.token.isCancellationRequested || document.version !== version) return;
      this.took = Date.now() - start;
      this.show({ editor, version, lanes: lanes?.functions[0], cursor });
    } catch (error) {
      // Overtaken by an edit or by the next question: its answer will be shown. Anything else is worth a line.
      if (source.token.isCancellationRequested || document.version !== version) return;
      this.failed(String(error));
      if (isOutdated(error)) this.refresh(); // the text is as it was: the settings are others, or a server has just opened it
      else if (this.view?.editor.document !== document) this.show({ editor, version, lanes: undefined, cursor: undefined }); // nothing is under way
    }
  }

  private show(view: View | undefined): void {
    this.view = view;
    this.changed.fire(view);
  }
}
