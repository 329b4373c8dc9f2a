/** The panel with one function: toolbar, summary, and the picture or the table. */

import type { FromPanel, ToPanel } from "../src/panel/messages";
import type { Picture } from "../src/panel/picture";
import { Card } from "./card";
import { Chart } from "./chart";
import { element, write } from "./dom";
import { passing } from "./geometry";
import { Legend } from "./legend";
import { base64, png, standalone } from "./save";
import { Table } from "./table";
import { type Choices, Toolbar } from "./toolbar";
import { Unknowns } from "./unknowns";

/** What the panel receives about a function. */
export type Show = Extract<ToPanel, { type: "show" }>;

/** Shows one function after the other, in the same elements. */
export class Panel {
  readonly root = element("section", { class: "panel" });
  private readonly toolbar: Toolbar;
  private readonly summary = element("p", { class: "summary", role: "status" });
  private readonly chart: Chart;
  private readonly table: Table;
  private readonly legend = new Legend("memory");
  private readonly unknowns: Unknowns;
  private shown: Show | undefined;
  private lanes = 0;

  constructor(
    private readonly post: (message: FromPanel) => void,
    private readonly choices: Choices,
    private readonly keep: () => void,
  ) {
    const reveal = (line: number, character: number): void => post({ type: "reveal", line, character });
    this.toolbar = new Toolbar(choices, {
      changed: () => this.changed(),
      save: (format) => void this.save(format),
      choose: (name) => post({ type: "function", name }),
    });
    this.chart = new Chart("memory", new Card(this.root), { reveal, zoom: (factor) => this.toolbar.zoom(factor) });
    this.table = new Table(reveal, (uri, line, character) => post({ type: "source", uri, line, character }));
    this.unknowns = new Unknowns((name, value) => post({ type: "assume", name, value }));
    this.root.append(this.toolbar.root, this.summary, this.unknowns.root, this.legend.root, this.chart.root, this.table.root);
  }

  /** Show another state of this or another function. */
  show(shown: Show): void {
    const moved = this.shown?.picture.name !== shown.picture.name || String(this.shown.here) !== String(shown.here);
    this.shown = shown;
    if (shown.lanes > this.lanes) this.toolbar.view("lanes", false);
    this.lanes = shown.lanes;
    this.unknowns.show(shown.picture.unknowns, shown.given);
    this.legend.show(shown.picture);
    this.toolbar.show(shown.picture, shown.functions);
    this.draw();
    if (moved) this.chart.follow();
  }

  /** The cursor is elsewhere in the same function. */
  here(here: readonly number[]): void {
    if (this.shown) this.show({ ...this.shown, here });
  }

  private changed(): void {
    this.keep();
    this.draw();
  }

  private draw(): void {
    if (!this.shown) return;
    const { picture, here } = this.shown;
    const indices = passing(picture, this.choices.filter);
    const at = new Set(here);
    this.chart.root.hidden = this.choices.table;
    this.table.root.hidden = !this.choices.table;
    this.legend.root.hidden = this.choices.table;
    write(this.summary, summary(picture, indices.length));
    if (this.choices.table) this.table.show(picture, indices, at);
    else this.chart.show({ picture, mode: this.choices.mode, passing: indices, here: at, zoom: this.choices.zoom });
  }

  private async save(format: "svg" | "png"): Promise<void> {
    if (!this.shown) return;
    if (this.choices.table) this.toolbar.choices.table = false;
    this.draw();
    const { svg } = this.chart;
    const text = standalone(svg, getComputedStyle(document.body).backgroundColor);
    const { width, height } = svg.getBoundingClientRect();
    const data = format === "svg" ? base64(text) : await png(text, width, height);
    this.post({ type: "save", format, base64: data, name: this.shown.picture.name });
  }
}

function summary(picture: Picture, shown: number): string {
  const count = picture.blocks.length + picture.dropped;
  const parts = [`${count} buffer${count === 1 ? "" : "s"}`, `peak ${picture.peak.label}`, `ideal ${picture.ideal.label}`];
  if (shown < count) parts.push(`${count - shown} not shown`);
  if (picture.note) parts.push(picture.note);
  return parts.join(" · ");
}
