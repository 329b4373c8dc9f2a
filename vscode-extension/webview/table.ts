/** The same as a table: for screen readers, and for exact numbers. */

import type { Block, Picture } from "../src/panel/picture";
import { element } from "./dom";
import { kindOf } from "./geometry";

const HEADS = ["Buffer", "Size", "Memory", "Allocated", "Last use", "Freed", "State", "At peak"];

/** A table of the buffers that are shown; a click on a name asks for its line, on a source for that. */
export class Table {
  readonly root = element("div", { class: "table", tabindex: 0, role: "region", "aria-label": "Table of buffers" });
  private said = "";

  constructor(
    private readonly reveal: (line: number, character: number) => void,
    private readonly open: (uri: string, line: number, character: number) => void,
  ) {}

  /** Show these buffers. Nothing is touched where all is as before: a reader keeps the place. */
  show(picture: Picture, passing: readonly number[], here: ReadonlySet<number>): void {
    const rows = passing.flatMap((index) => {
      const block = picture.blocks[index];
      return block ? [{ block, here: here.has(index), cells: cells(picture, block) }] : [];
    });
    const count = picture.blocks.length;
    const caption = `@${picture.name}: ${count} buffer${count === 1 ? "" : "s"}, peak ${picture.peak.label}, ideal ${picture.ideal.label}`;
    const located = picture.blocks.some((block) => block.source);
    const said = JSON.stringify([caption, rows.map((row) => [row.cells, row.block.source, row.here])]);
    if (said === this.said) return;
    this.said = said;
    const heads = located ? [...HEADS, "Source"] : HEADS;
    const head = element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)));
    const body = rows.map((row) => this.row(row.block, row.cells, located, row.here));
    const table = element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body));
    this.root.replaceChildren(table);
  }

  private row(block: Block, said: readonly string[], located: boolean, here: boolean): HTMLElement {
    const name = element("button", { class: "name" }, block.name);
    name.addEventListener("click", () => this.reveal(block.line, block.character));
    const rest = said.map((text) => element("td", {}, text));
    if (located) rest.push(element("td", {}, ...this.source(block)));
    return element("tr", { class: here ? "here" : undefined, "aria-current": here ? "true" : undefined }, element("th", { scope: "row" }, name), ...rest);
  }

  /** What a buffer comes from: a link where that can be opened. */
  private source({ source }: Block): (HTMLElement | string)[] {
    if (!source?.location) return source ? [source.label] : [];
    const { uri, position } = source.location;
    const link = element("button", { class: "name source" }, source.label);
    link.addEventListener("click", () => this.open(uri, position.line, position.character));
    return [link];
  }
}

function cells(picture: Picture, block: Block): string[] {
  const line = (step: number): string => `line ${(picture.lines[step] ?? 0) + 1}`;
  const last = block.uses.length > 0 ? line(Math.max(...block.uses)) : "never used";
  const freed = block.frees.length > 0 ? block.frees.map(line).join(", ") : "";
  return [block.size, kindOf(block), `line ${block.line + 1}`, last, freed, state(block), block.atPeak ? "yes" : ""];
}

function state(block: Block): string {
  if (block.leak) return block.leak === "always" ? "never freed" : "not freed on some path";
  if (block.late > 0) return `held over ${block.late} operation${block.late === 1 ? "" : "s"}`;
  return block.frees.length > 0 ? "freed" : "handed over";
}
