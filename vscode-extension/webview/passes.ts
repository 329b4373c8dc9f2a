/** The passes of a log: a row for each, with a bar of its peak and, in it, of the ideal. */

import type { Introduced, Pass } from "../src/compare/passWords";
import type { FromPanel, ToPanel } from "../src/panel/messages";
import { element, write } from "./dom";
import { largest } from "./geometry";

/** What the panel receives about a log. */
export type Log = Extract<ToPanel, { type: "passes" }>;

const HEADS = ["", "Pass", "Of", "Peak", "", "Ideal", "Buffers", "Leaks", "Late"];

const BAR = 4;

function swatch(kind: string): HTMLElement {
  return element("span", { class: `swatch ${kind}`, "aria-hidden": "true" });
}

/** Shows a log. Rows that were shown stay: what is selected and scrolled to does. */
export class Passes {
  readonly root = element("section", { class: "panel passes" });
  private readonly summary = element("p", { class: "summary", role: "status" });
  private readonly button = element("button", { type: "button", disabled: true }, "Compare");
  private readonly order = element("button", { type: "button", "aria-pressed": "true" }, "Culprits first");
  private readonly body = element("tbody", {});
  private readonly rows = new Map<number, HTMLElement[]>();
  private readonly selected = new Set<number>();
  private shown: Log | undefined;
  private first = true;
  private most = 0;

  constructor(private readonly post: (message: FromPanel) => void) {
    this.button.addEventListener("click", () => post({ type: "comparePasses", passes: [...this.selected] }));
    this.order.addEventListener("click", () => this.turn());
    const bar = element("div", { class: "toolbar", role: "toolbar", "aria-label": "Passes" }, this.order, this.button);
    const head = element("thead", {}, element("tr", {}, ...HEADS.map((name, at) => element("th", { scope: "col" }, ...(at === BAR ? [swatch("least"), "ideal ", swatch("above"), "peak"] : [name])))));
    const table = element("div", { class: "table", tabindex: 0, role: "region", "aria-label": "Passes" }, element("table", {}, head, this.body));
    this.root.append(bar, this.summary, table);
    this.select();
  }

  /** Show a log, or more of it. */
  show(log: Log): void {
    this.shown = log;
    const most = largest([0, ...log.passes.map((pass) => pass.bytes.peak ?? 0)]);
    if (most !== this.most) this.rows.clear(); // all bars are shorter now
    this.most = most;
    log.passes.forEach((pass, index) => this.rows.has(index) || this.rows.set(index, this.row(pass, index)));
    write(this.summary, summaryOf(log));
    this.arrange();
  }

  private turn(): void {
    this.first = !this.first;
    this.order.setAttribute("aria-pressed", String(this.first));
    this.arrange();
  }

  private arrange(): void {
    const { passes = [], culprits = [] } = this.shown ?? {};
    const above = this.first ? culprits : [];
    const others = passes.map((_, index) => index).filter((index) => !above.includes(index));
    const of = (indices: readonly number[]): HTMLElement[] => indices.flatMap((index) => this.rows.get(index) ?? []);
    const heading = (text: string): HTMLElement => element("tr", { class: "heading" }, element("th", { scope: "colgroup", colspan: HEADS.length }, text));
    const parts = above.length > 0 ? [heading("To be looked at first"), ...of(above), heading("The others, in the order of the log")] : [];
    this.body.replaceChildren(...parts, ...of(others));
  }

  private select(): void {
    const count = this.selected.size;
    this.button.disabled = count === 0 || count > 2;
    write(this.button, count === 2 ? "Compare the two" : count === 1 ? "Compare with the one before" : "Compare: select one or two");
  }

  private row(pass: Pass, index: number): HTMLElement[] {
    const box = element("input", { type: "checkbox", "aria-label": `Select ${pass.title}`, checked: this.selected.has(index) });
    box.addEventListener("change", () => {
      if (box.checked) this.selected.add(index);
      else this.selected.delete(index);
      this.select();
    });
    const name = this.link(pass.title, index, pass.introduced[0]?.line ?? pass.peakLine);
    const said = [name, ...(pass.argument ? [" ", element("code", {}, pass.argument)] : []), ...(pass.failed ? [" ", element("b", { class: "leaks" }, "failed")] : [])];
    const cells = [pass.of, pass.peak, this.bar(pass), pass.ideal, pass.sites, pass.leaks || "", pass.late || ""];
    const main = element("tr", { class: "pass" }, element("td", {}, box), element("th", { scope: "row" }, ...said), ...cells.map((cell) => element("td", {}, typeof cell === "number" ? String(cell) : cell)));
    return [main, ...this.notes(pass, index)];
  }

  private notes(pass: Pass, index: number): HTMLElement[] {
    const grown = pass.grown.map((text) => this.link(text, index, pass.peakLine));
    const introduced = pass.introduced.map((one) => this.link(wordsOf(one), index, one.line));
    const gone = pass.gone > 0 ? [element("span", {}, `${pass.gone} finding${pass.gone === 1 ? "" : "s"} gone`)] : [];
    const items = [...grown, ...introduced, ...gone].map((one) => element("li", {}, one));
    if (items.length === 0) return [];
    return [element("tr", { class: "notes" }, element("td", {}), element("td", { colspan: HEADS.length - 1 }, element("ul", {}, ...items)))];
  }

  private link(text: string, pass: number, line: number): HTMLElement {
    const made = element("button", { type: "button", class: "name", title: "Open the dump" }, text);
    made.addEventListener("click", () => this.post({ type: "dump", pass, line }));
    return made;
  }

  private bar({ bytes, peak, ideal }: Pass): HTMLElement {
    const share = (part: number | null): string => `${this.most > 0 && part ? Math.max(1, Math.round((100 * part) / this.most)) : 0}%`;
    const part = (kind: string, width: string): HTMLElement => {
      const made = element("span", { class: kind });
      made.style.width = width;
      return made;
    };
    return element("div", { class: "bar", role: "img", "aria-label": `peak ${peak}, ideal ${ideal}` }, part("above", share(bytes.peak)), part("least", share(bytes.ideal)));
  }
}

function wordsOf(one: Introduced): string {
  return one.count === 1 ? `introduces ${one.rule} in ${one.says}` : `introduces ${one.count} × ${one.rule}, first in ${one.says}`;
}

function summaryOf({ file, passes, culprits, state }: Log): string {
  const count = `${passes.length} dump${passes.length === 1 ? "" : "s"}`;
  if (state === "reading") return `${file} is being read: ${count} so far`;
  const said = culprits.length === 0 ? "none made a peak grow or introduced a finding" : `${culprits.length} made a peak grow or introduced findings`;
  return `${file}${state === "stopped" ? ", not read to its end" : ""}: ${count}, ${said}`;
}
