/** Draws a layout as SVG, into elements that stay from one drawing to the next: typing changes attributes, no more. */

import type { Block, Picture } from "../src/panel/picture";
import type { Segment } from "../src/protocol";
import { change, Keyed, type Piece, Pieces, shape, write } from "./dom";
import { kindOf, largest, type Layout, type Placed, ticks, words } from "./geometry";
import { BAND, EDGE, Scale, type Size } from "./scale";

/** One picture's SVG. */
export class Drawing {
  readonly svg = shape("svg", { role: "group", class: "picture", tabindex: -1 });
  private readonly back = this.group("back");
  private readonly blocks = this.group("blocks");
  private readonly front = this.group("front");
  private readonly bands = new Keyed<SVGElement>(this.back);
  private readonly shown = new Keyed<SVGElement>(this.blocks);
  private readonly marks = new Keyed<SVGElement>(this.front);
  private readonly pieces = new Pieces();

  constructor(private readonly name: string) {
    const line = shape("line", { x1: 0, y1: 0, x2: 0, y2: 7, class: "hatching", "stroke-width": 4 });
    const pattern = { id: `${name}-hatch`, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
    this.svg.prepend(shape("defs", {}, shape("pattern", pattern, line)));
  }

  /** Draw; `here` are the blocks at the cursor: the others are dimmed. Gives the elements of the blocks in order. */
  draw(picture: Picture, plan: Layout, size: Size, here: ReadonlySet<number>): Map<number, SVGElement> {
    change(this.svg, { width: size.width, height: size.height, viewBox: `0 0 ${size.width} ${size.height}` });
    change(this.svg, { "aria-label": `Memory of @${picture.name}: peak ${picture.peak.label}, ideal ${picture.ideal.label}` });
    const scale = new Scale(picture, plan, size);
    this.regions(picture, scale);
    this.axis(picture, plan, scale);
    const elements = this.lanes(picture, plan, scale, here);
    this.calls(picture, plan, scale);
    this.curve(picture, scale);
    for (const keyed of [this.bands, this.shown, this.marks]) keyed.finish();
    return elements;
  }

  private group(name: string): SVGElement {
    const made = shape("g", { class: name });
    this.svg.append(made);
    return made;
  }

  private regions(picture: Picture, scale: Scale): void {
    picture.regions.forEach((region, index) => {
      const [x, end] = [scale.x(region.start), scale.x(region.end)];
      const y = 4 + region.depth * BAND;
      const group = this.bands.get(`region${index}`, () => shape("g", {}, shape("rect"), shape("text", { class: "faint code" })));
      const [rect, text] = group.children;
      if (!rect || !text) return;
      change(rect, { class: region.alternate ? "band other" : "band", x, y, width: Math.max(0, end - x), height: scale.bottom - y });
      change(text, { x: x + 4, y: y + 11 });
      write(text, fitted(region.label, end - x - 8));
    });
  }

  private axis(picture: Picture, plan: Layout, scale: Scale): void {
    const { axis } = scale;
    for (const bytes of ticks(axis.top, 4)) {
      const y = axis.y(bytes);
      const group = this.bands.get(`tick${bytes}`, () => shape("g", {}, shape("line", { class: "rule" }), shape("text", { class: "faint", "text-anchor": "end" })));
      const [line, text] = group.children;
      if (!line || !text) return;
      change(line, { x1: scale.left, x2: scale.right, y1: y, y2: y });
      change(text, { x: scale.left - 6, y: y + 4 });
      write(text, words(bytes, axis.top));
    }
    const every = Math.max(1, Math.ceil((picture.lines.length * 42) / Math.max(1, scale.right - scale.left)));
    for (let index = 0; index < picture.lines.length; index += every) {
      const text = this.bands.get(`line${index}`, () => shape("text", { class: "faint", "text-anchor": "middle" }));
      change(text, { x: scale.x(index + 0.5), y: scale.bottom + 15 });
      write(text, String((picture.lines[index] ?? 0) + 1));
    }
    change(this.svg, { "data-mode": plan.mode });
  }

  private lanes(picture: Picture, plan: Layout, scale: Scale, here: ReadonlySet<number>): Map<number, SVGElement> {
    const elements = new Map<number, SVGElement>();
    const names = new Map<string, number>();
    for (const placed of [...plan.placed].sort((a, b) => a.index - b.index)) {
      const block = picture.blocks[placed.index];
      if (!block) continue;
      const again = (names.get(block.name) ?? -1) + 1;
      names.set(block.name, again);
      const group = this.shown.get(`${block.name}#${again}`, () => shape("g", { role: "button", class: "block" }));
      const dim = here.size > 0 && !here.has(placed.index);
      change(group, { class: dim ? "block dim" : here.has(placed.index) ? "block here" : "block", "aria-label": spoken(block) });
      this.block(group, block, placed, scale);
      elements.set(placed.index, group);
    }
    return elements;
  }

  /** What calls take: on the blocks, or as a part of the curve below the lanes. */
  private calls(picture: Picture, plan: Layout, scale: Scale): void {
    const { axis } = scale;
    picture.calls.forEach((call, index) => {
      const placed = plan.calls[index];
      const high = picture.live[call.column] ?? axis.top;
      const [top, bottom] = placed ? scale.span(placed) : [axis.y(high), axis.y(Math.max(0, high - (call.bytes ?? high)))];
      const [x, width] = [scale.x(call.column), scale.unit];
      const group = this.marks.get(`call${index}`, () => shape("g", { role: "img" }, shape("title"), shape("rect", { class: "call" }), shape("text", { class: "call-text code" })));
      const [title, rect, text] = group.children;
      if (!title || !rect || !text) return;
      change(group, { "aria-label": `taken inside the call of ${call.label}` });
      write(title, `taken inside the call of ${call.label}`);
      change(rect, { x, y: top, width, height: Math.max(1, bottom - top) });
      // A column is narrow: the label may stand on what is beside it, on the side with more room.
      const left = x > (scale.left + scale.right) / 2;
      const inside = fitted(call.label, width - 8) === call.label;
      change(text, { x: inside ? x + 4 : left ? x - 4 : x + width + 4, y: (top + bottom) / 2 + 4, "text-anchor": !inside && left ? "end" : "start", class: inside ? "call-text code in" : "call-text code" });
      write(text, bottom - top >= 11 ? call.label : "");
    });
  }

  /** The pieces of one block: its segments, deallocations, label and outline. */
  private block(group: SVGElement, block: Block, placed: Placed, scale: Scale): void {
    const [top, bottom] = scale.span(placed);
    const [x, end] = [scale.x(placed.start), scale.x(placed.end)];
    const pieces = block.segments.map((segment) => this.segment(segment, top, bottom, scale));
    const narrow = end - x < 5; // edges would hide what they surround
    for (const free of narrow ? [] : block.frees) {
      const at = scale.x(Math.max(free, placed.start + 0.5));
      pieces.push({ name: "line", attributes: { class: "freed", x1: at, x2: at, y1: top - 1, y2: bottom + 1 } });
    }
    const label = bottom - top >= 11 ? fitted(`${block.name}  ${block.size}`, end - x - 8) : "";
    if (label) pieces.push({ name: "text", attributes: { class: "label code", x: x + 4, y: (top + bottom) / 2 + 4 }, text: label });
    if (!narrow) pieces.push({ name: "rect", attributes: { class: "outline", x, y: top, width: end - x, height: bottom - top, fill: undefined } });
    this.pieces.put(group, pieces);
  }

  private segment(segment: Segment, top: number, bottom: number, scale: Scale): Piece {
    const x = scale.x(segment.start);
    const some = segment.certainty === "some" ? " some" : "";
    const fill = segment.state === "held" ? `url(#${this.name}-hatch)` : undefined;
    const size = { width: Math.max(0.3, scale.x(segment.end) - x), height: Math.max(1, bottom - top) };
    return { name: "rect", attributes: { class: `${segment.state}${some}`, x, y: top, ...size, fill } };
  }

  private curve(picture: Picture, scale: Scale): void {
    const { axis } = scale;
    const points: string[] = [`${r(scale.x(0))},${r(scale.bottom)}`];
    // More columns than pixels: each pixel gets the most of its columns.
    const every = Math.max(1, Math.floor(1 / scale.unit));
    for (let index = 0; index < picture.live.length; index += every) {
      const y = axis.y(largest(picture.live.slice(index, index + every).map((bytes) => bytes ?? axis.top)));
      points.push(`${r(scale.x(index))},${r(y)}`, `${r(scale.x(Math.min(index + every, picture.live.length)))},${r(y)}`);
    }
    points.push(`${r(scale.x(picture.live.length))},${r(scale.bottom)}`);
    const curve = this.marks.get("curve", () => shape("polyline", { class: "curve" }));
    change(curve, { points: points.join(" "), class: scale.unit < 2 ? "curve dense" : "curve" });
    this.level("ideal", picture.ideal.bytes, `ideal ${picture.ideal.label}`, scale);
    this.level("peak", picture.peak.bytes ?? axis.top, `peak ${picture.peak.label}`, scale);
    if (picture.peak.column === null) return;
    const x = scale.x(picture.peak.column + 0.5);
    change(this.marks.get("at", () => shape("line", { class: "at" })), { x1: x, x2: x, y1: EDGE.top - 8, y2: scale.bottom });
  }

  private level(kind: "peak" | "ideal", bytes: number | null, says: string, scale: Scale): void {
    if (bytes === null) return;
    const y = scale.axis.y(bytes);
    change(this.marks.get(kind, () => shape("line", { class: kind })), { x1: scale.left, x2: scale.right, y1: y, y2: y });
    const text = this.marks.get(`${kind}-text`, () => shape("text", { class: `${kind}-text`, "text-anchor": "end" }));
    change(text, { x: scale.right - 4, y: kind === "peak" ? y - 4 : y + 12 });
    write(text, fitted(says, scale.right - scale.left));
  }
}

function spoken(block: Block): string {
  return [`${block.name}, ${block.size}, ${kindOf(block)}`, ...block.card.slice(1)].join("; ");
}

/** As much of a text as fits into so many pixels, or nothing where that is too little to read. */
function fitted(text: string, room: number): string {
  const most = Math.floor(room / 6.7);
  if (text.length <= most) return text;
  return most >= 4 ? `${text.slice(0, most - 1)}…` : "";
}

function r(value: number): number {
  return Math.round(value * 10) / 10;
}
