/** The controls above the picture. */

import type { Picture } from "../src/panel/picture";
import { element } from "./dom";
import { type Filter, kindOf, type Mode } from "./geometry";

/** What the user set. */
export interface Choices {
  mode: Mode;
  table: boolean;
  zoom: number;
  filter: Filter;
}

/** The choices at the start. */
export function fresh(): Choices {
  return { mode: "bytes", table: false, zoom: 1, filter: { name: "", least: 0, kind: "" } };
}

const SIZES: [string, number][] = [["all sizes", 0], ["≥ 1 KiB", 1024], ["≥ 64 KiB", 65536], ["≥ 1 MiB", 2 ** 20], ["≥ 64 MiB", 2 ** 26]];
const CLOSEST = 0.5;
const FARTHEST = 64;

/** What the controls do but for the choices. */
export interface Actions {
  changed(): void;
  save(format: "svg" | "png"): void;
  choose(name: string): void;
}

/** The bar. Call `show` with each new picture. */
export class Toolbar {
  readonly root = element("div", { class: "toolbar", role: "toolbar", "aria-label": "Memory" });
  private readonly functions = element("select", { "aria-label": "Function" });
  private readonly kinds = element("select", { "aria-label": "Kind of memory" });
  private readonly sizes = element("select", { "aria-label": "Smallest size" });
  private readonly name = element("input", { type: "search", placeholder: "Filter by name", "aria-label": "Filter by name", size: 12 });
  private readonly mode = button("Bytes", "Heights are bytes, at a place in memory");
  private readonly lanes = button("Lanes", "One row for each buffer");
  private readonly table = button("Table", "The same as a table");

  constructor(
    readonly choices: Choices,
    private readonly actions: Actions,
  ) {
    const zoom = [action("−", "Zoom out", () => this.zoom(1 / 1.5)), action("+", "Zoom in", () => this.zoom(1.5)), action("Fit", "Fit into the window", () => this.zoom(0))];
    const saves = [action("SVG", "Save as SVG", () => actions.save("svg")), action("PNG", "Save as PNG", () => actions.save("png"))];
    this.sizes.append(...SIZES.map(([text, bytes]) => element("option", { value: bytes, selected: bytes === choices.filter.least }, text)));
    this.name.value = choices.filter.name;
    this.root.append(this.functions, group("View", this.mode, this.lanes, this.table), group("Zoom", ...zoom));
    this.root.append(this.name, this.sizes, this.kinds, group("Save", ...saves));
    this.listen();
    this.update();
  }

  /** Offer what this picture has. */
  show(picture: Picture, functions: readonly string[]): void {
    const names = functions.includes(picture.name) ? functions : [picture.name, ...functions];
    options(this.functions, names.map((name) => [`@${name}`, name]), picture.name);
    const kinds = [...new Set(picture.blocks.map(kindOf))].sort();
    if (!kinds.includes(this.choices.filter.kind)) this.set({ kind: "" });
    options(this.kinds, [["all memory", ""], ...kinds.map((kind): [string, string] => [kind, kind])], this.choices.filter.kind);
    this.kinds.hidden = kinds.length < 2;
  }

  /** Zoom by a factor; 0: back to all of it. */
  zoom(factor: number): void {
    this.choices.zoom = factor === 0 ? 1 : Math.max(CLOSEST, Math.min(FARTHEST, this.choices.zoom * factor));
    this.actions.changed();
  }

  private listen(): void {
    this.functions.addEventListener("change", () => this.actions.choose(this.functions.value));
    this.kinds.addEventListener("change", () => this.change({ kind: this.kinds.value }));
    this.sizes.addEventListener("change", () => this.change({ least: Number(this.sizes.value) }));
    this.name.addEventListener("input", () => this.change({ name: this.name.value }));
    this.mode.addEventListener("click", () => this.view("bytes", false));
    this.lanes.addEventListener("click", () => this.view("lanes", false));
    this.table.addEventListener("click", () => this.view(this.choices.mode, !this.choices.table));
  }

  /** Show blocks, lanes or the table from now on. */
  view(mode: Mode, table: boolean): void {
    Object.assign(this.choices, { mode, table });
    this.update();
    this.actions.changed();
  }

  private update(): void {
    const { mode, table } = this.choices;
    pressed(this.mode, !table && mode === "bytes");
    pressed(this.lanes, !table && mode === "lanes");
    pressed(this.table, table);
  }

  private set(part: Partial<Filter>): void {
    this.choices.filter = { ...this.choices.filter, ...part };
  }

  private change(part: Partial<Filter>): void {
    this.set(part);
    this.actions.changed();
  }
}

function button(text: string, title: string): HTMLButtonElement {
  return element("button", { type: "button", title, "aria-pressed": "false" }, text);
}

function action(text: string, title: string, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title, "aria-label": title }, text);
  made.addEventListener("click", act);
  return made;
}

function group(name: string, ...children: HTMLElement[]): HTMLElement {
  return element("span", { class: "group", role: "group", "aria-label": name }, ...children);
}

function pressed(one: HTMLElement, on: boolean): void {
  one.setAttribute("aria-pressed", String(on));
}

/** Give a list these options, and touch it only where they are others: an open list stays open. */
function options(list: HTMLSelectElement, wanted: readonly (readonly [string, string])[], chosen: string): void {
  const now = [...list.options].map((one) => one.value).join("\n");
  if (now !== wanted.map(([, value]) => value).join("\n")) {
    list.replaceChildren(...wanted.map(([text, value]) => element("option", { value }, text)));
  }
  if (list.value !== chosen) list.value = chosen;
}
