/** Two versions of a function, one above the other, and what moved between them. */

import type { FromPanel, Side, ToPanel } from "../src/panel/messages";
import { Card } from "./card";
import { Chart } from "./chart";
import { element, write } from "./dom";
import { Legend } from "./legend";
import type { Choices } from "./toolbar";

/** What the panel receives about two versions. */
export type Compare = Extract<ToPanel, { type: "compare" }>;

/** Shows comparisons. */
export class Comparison {
  readonly root = element("section", { class: "panel comparison" });
  private readonly functions = element("select", { "aria-label": "Function" });
  private readonly heads: readonly HTMLElement[];
  private readonly charts: readonly Chart[];
  private readonly moves = element("ul", { class: "moves", "aria-label": "What changed", tabindex: 0 });
  private readonly legend = new Legend("after");
  private shown: Compare | undefined;

  constructor(
    post: (message: FromPanel) => void,
    private readonly choices: Choices,
  ) {
    const card = new Card(this.root);
    const zoom = (factor: number): void => {
      choices.zoom = Math.max(0.5, Math.min(64, choices.zoom * factor));
      this.draw();
    };
    this.charts = (["before", "after"] as const).map(
      (side) => new Chart(side, card, { reveal: (line, character) => post({ type: "reveal", line, character, side }), zoom }),
    );
    this.heads = this.charts.map(() => element("h2", {}));
    this.functions.addEventListener("change", () => post({ type: "function", name: this.functions.value }));
    const mode = element("button", { type: "button" }, "Bytes or lanes");
    mode.addEventListener("click", () => {
      choices.mode = choices.mode === "bytes" ? "lanes" : "bytes";
      this.draw();
    });
    const bar = element("div", { class: "toolbar", role: "toolbar", "aria-label": "Comparison" }, this.functions, mode);
    this.root.append(bar, this.legend.root, ...this.charts.flatMap((chart, index) => [this.heads[index] ?? "", chart.root]), this.moves);
  }

  /** Show two versions. */
  show(compare: Compare): void {
    this.shown = compare;
    const names = compare.functions.map((name) => element("option", { value: name, selected: name === compare.name }, `@${name}`));
    this.functions.replaceChildren(...names);
    const said = compare.moves.map((move) => element("li", { class: move.kind }, element("b", {}, move.name), ` ${move.says}`));
    this.moves.replaceChildren(...(said.length > 0 ? said : [element("li", {}, "No buffer changed.")]));
    const pictures = [compare.after.picture, compare.before.picture].filter((one) => one !== null);
    const [first] = pictures;
    if (first) this.legend.show({ ...first, blocks: pictures.flatMap((one) => one.blocks), calls: pictures.flatMap((one) => one.calls) });
    this.draw();
  }

  private draw(): void {
    const { shown } = this;
    if (!shown) return;
    const most = Math.max(shown.before.picture?.peak.bytes ?? 0, shown.after.picture?.peak.bytes ?? 0);
    [shown.before, shown.after].forEach((side, index) => {
      const head = this.heads[index];
      if (head) write(head, title(side));
      const chart = this.charts[index];
      if (!chart) return;
      chart.root.hidden = side.picture === null;
      if (!side.picture) return;
      // One scale for both: what is higher takes more.
      const picture = { ...side.picture, scale: most };
      const passing = picture.blocks.map((_, at) => at);
      chart.show({ picture, mode: this.choices.mode, passing, here: new Set(), zoom: this.choices.zoom });
    });
  }
}

function title(side: Side): string {
  return side.picture ? `${side.title}: peak ${side.picture.peak.label}, ideal ${side.picture.ideal.label}` : `${side.title}: no such function`;
}
