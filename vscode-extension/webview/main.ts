/** The memory panel: takes messages of the extension, shows what they say, and keeps the user's choices. */

import type { FromPanel, ToPanel } from "../src/panel/messages";
import { Comparison } from "./comparison";
import { element } from "./dom";
import { Panel } from "./panel";
import { Passes } from "./passes";
import { type Choices, fresh } from "./toolbar";

/** What VS Code gives to a webview's script. */
interface Host {
  postMessage(message: FromPanel): void;
  getState(): { choices?: Choices; uri?: string } | undefined;
  setState(state: { choices: Choices }): void;
}

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const choices: Choices = { ...fresh(), ...host.getState()?.choices };
const main = document.getElementById("memlane") ?? document.body;
const post = (message: FromPanel): void => host.postMessage(message);
const panel = new Panel(post, choices, () => host.setState({ choices }));
const comparison = new Comparison(post, choices);
const passes = new Passes(post);
const nothing = element("p", { class: "nothing" }, "Waiting for the server.");

function put(one: HTMLElement): void {
  if (main.firstElementChild !== one) main.replaceChildren(one);
}

function take(message: ToPanel): void {
  if (message.type === "show") {
    put(panel.root);
    panel.show(message);
  } else if (message.type === "here") {
    panel.here(message.here);
  } else if (message.type === "passes") {
    put(passes.root);
    passes.show(message);
  } else if (message.type === "compare") {
    put(comparison.root);
    comparison.show(message);
  } else {
    nothing.textContent = message.why;
    put(nothing);
  }
}

let newest: ToPanel | undefined;

// At most one drawing a frame, of the newest state: bursts of messages cost no more than one.
window.addEventListener("message", (event: MessageEvent<ToPanel>) => {
  const first = newest === undefined;
  // A cursor that moved does not take the place of a picture that waits to be drawn.
  newest = event.data.type === "here" && newest?.type === "show" ? { ...newest, here: event.data.here } : event.data;
  if (!first) return;
  requestAnimationFrame(() => {
    const message = newest;
    newest = undefined;
    if (message) take(message);
  });
});
put(nothing);
post({ type: "ready" });
