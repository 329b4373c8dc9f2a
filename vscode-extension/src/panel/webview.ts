/** A webview with the panel's page in it, and the messages to and from it. Memory panel and comparisons are such. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { page } from "./html";
import type { FromPanel, ToPanel } from "./messages";
import { savePicture } from "./save";

/** One webview. Messages that come before its page is there wait; of those, the newest counts. */
export class View implements vscode.Disposable {
  private waiting: ToPanel | undefined;
  private ready = false;

  /** @param take is called with what the page says, but for what this class does itself; the user is told where it rejects. */
  constructor(
    readonly panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    private readonly take: (message: FromPanel) => Promise<void>,
  ) {
    const { webview } = panel;
    const at = (...parts: string[]): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, ...parts)).toString();
    webview.options = { enableScripts: true, localResourceRoots: ["dist", "media"].map((part) => vscode.Uri.joinPath(extension, part)) };
    webview.onDidReceiveMessage((message: FromPanel) => this.receive(message));
    webview.html = page({
      source: webview.cspSource,
      script: at("dist", "panel.js"),
      style: at("media", "panel.css"),
      nonce: randomBytes(18).toString("base64"),
    });
    panel.iconPath = vscode.Uri.joinPath(extension, "media", "icon.png");
  }

  /** Tell the page something. */
  post(message: ToPanel): void {
    this.waiting = message;
    if (this.ready) void this.panel.webview.postMessage(message);
  }

  dispose(): void {
    this.panel.dispose();
  }

  private receive(message: FromPanel): void {
    if (message.type === "ready") {
      this.ready = true;
      if (this.waiting) this.post(this.waiting);
    } else {
      const taken = message.type === "save" ? savePicture(message) : this.take(message);
      taken.then(undefined, (error: unknown) => vscode.window.showErrorMessage(`Memlane: ${String(error)}`));
    }
  }
}
