/** What colours, patterns and lines of a picture mean. */

import type { Picture } from "../src/panel/picture";
import type { State } from "../src/protocol";
import { element, shape } from "./dom";

/** An entry: a class of the drawing, what it means, and whether a picture has it. */
interface Entry {
  readonly kind: string;
  readonly says: string;
  readonly line?: boolean;
  readonly of: (picture: Picture) => boolean;
}

const has = (state: State) => (picture: Picture): boolean => picture.blocks.some((block) => block.segments.some((one) => one.state === state));

const ENTRIES: readonly Entry[] = [
  { kind: "in-use", says: "in use", of: has("in-use") },
  { kind: "held", says: "held after the last use", of: has("held") },
  { kind: "leaked", says: "lost", of: has("leaked") },
  { kind: "handed-over", says: "handed over", of: has("handed-over") },
  { kind: "in-use some", says: "on some paths", of: (picture) => picture.blocks.some((block) => block.segments.some((one) => one.certainty === "some" && one.start < Math.max(Number.NEGATIVE_INFINITY, ...block.frees))) },
  { kind: "call", says: "taken inside a call", of: (picture) => picture.calls.length > 0 },
  { kind: "freed", says: "freed", line: true, of: (picture) => picture.blocks.some((block) => block.frees.length > 0) },
  { kind: "curve", says: "live bytes", line: true, of: () => true },
  { kind: "peak", says: "peak", line: true, of: () => true },
  { kind: "ideal", says: "ideal", line: true, of: () => true },
];

/** The legend of one drawing, whose patterns it uses. */
export class Legend {
  readonly root = element("ul", { class: "legend", "aria-label": "Legend" });
  private said = "";

  constructor(private readonly drawing: string) {}

  /** Name what this picture has. */
  show(picture: Picture): void {
    const wanted = ENTRIES.filter((entry) => entry.of(picture));
    const said = wanted.map((entry) => entry.kind).join();
    if (said === this.said) return;
    this.said = said;
    this.root.replaceChildren(...wanted.map((entry) => element("li", {}, this.swatch(entry), entry.says)));
  }

  private swatch({ kind, line }: Entry): SVGElement {
    const upright = kind === "freed";
    const ends = upright ? { x1: 8, x2: 8, y1: 1, y2: 11 } : { x1: 0, x2: 16, y1: 6, y2: 6 };
    const fill = kind === "held" ? `url(#${this.drawing}-hatch)` : undefined;
    const mark = line ? shape("line", { class: kind, ...ends }) : shape("rect", { class: kind, x: 0.5, y: 0.5, width: 15, height: 11, fill });
    return shape("svg", { width: 16, height: 12, "aria-hidden": "true" }, mark);
  }
}
