/**
 * Where things are in the picture, before anybody draws them. Pure: columns and bytes in, fractions and units out.
 *
 * Two ways to look at it: *bytes* gives each buffer the height of its size, at a place in memory that is free while it
 * lives (first fit, in the order of allocation, or in another where that wastes less); *lanes* gives each a row.
 */

import type { Block, Picture } from "../src/panel/picture";

/** How heights are chosen. */
export type Mode = "bytes" | "lanes";

/** A block in its place: columns half-open; `low` and `high` in bytes or rows from below. */
export interface Placed {
  /** Index in `Picture.blocks`. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly low: number;
  readonly high: number;
}

/** Everything in its place; `top` is the height of all of it, in bytes or rows. */
export interface Layout {
  readonly mode: Mode;
  readonly placed: readonly Placed[];
  /** What calls take, by index in `Picture.calls`. */
  readonly calls: readonly Placed[];
  readonly top: number;
}

/** Place the blocks of a picture that `shown` names. */
export function layout(picture: Picture, mode: Mode, shown: readonly number[]): Layout {
  return mode === "lanes" ? inRows(picture, shown) : inBytes(picture, shown);
}

/** The columns of a block: from its allocation to the end of its last segment, or the deallocation there. */
export function extent(block: Block): readonly [number, number] {
  const start = block.segments[0]?.start ?? 0;
  const end = Math.max(start, block.segments.at(-1)?.end ?? start, ...block.frees);
  return [start, Math.max(end, start + 1)];
}

function inRows(picture: Picture, shown: readonly number[]): Layout {
  const rows = [...new Set(shown.map((index) => picture.blocks[index]?.row ?? 0))].sort((a, b) => a - b);
  const row = new Map(rows.map((old, now) => [old, rows.length - 1 - now]));
  const placed = shown.flatMap((index) => {
    const block = picture.blocks[index];
    if (!block) return [];
    const [start, end] = extent(block);
    const low = row.get(block.row) ?? 0;
    return [{ index, start, end, low, high: low + 1 }];
  });
  return { mode: "lanes", placed, calls: [], top: Math.max(1, rows.length) };
}

/** What is to be placed: a block, or what a call takes. */
interface Wanted {
  readonly index: number;
  readonly call: boolean;
  readonly start: number;
  readonly end: number;
  readonly height: number;
}

function inBytes(picture: Picture, shown: readonly number[]): Layout {
  const unbounded = largest([1, ...picture.blocks.map((block) => block.bytes ?? 0), picture.peak.bytes ?? 0]);
  const blocks = shown.flatMap((index): Wanted[] => {
    const block = picture.blocks[index];
    if (!block) return [];
    const [start, end] = extent(block);
    return [{ index, call: false, start, end, height: block.bytes ?? unbounded }];
  });
  const calls = picture.calls.map(({ column, bytes }, index): Wanted => ({ index, call: true, start: column, end: column + 1, height: bytes ?? unbounded }));
  const wanted = [...blocks, ...calls].sort((a, b) => a.start - b.start);
  const live = picture.live.map((bytes) => bytes ?? unbounded);
  let found = stacked(wanted);
  // The peak is what lives at once: where gaps between blocks reach above it, other orders may leave fewer.
  for (const order of ORDERS) {
    if (found.top <= largest([0, ...live])) break;
    const other = stacked([...wanted].sort(order));
    if (other.top < found.top) found = other;
  }
  const { scale = 0, peak, ideal } = picture;
  const top = largest([1, scale, peak.bytes ?? 0, ideal.bytes ?? 0, ...live, found.top]);
  const of = (call: boolean): Placed[] => wanted.flatMap((one) => (one.call === call ? (found.placed.get(one) ?? []) : []));
  return { mode: "bytes", placed: of(false), calls: of(true), top };
}

const ORDERS: readonly ((a: Wanted, b: Wanted) => number)[] = [
  (a, b) => b.end - b.start - (a.end - a.start),
  (a, b) => b.height - a.height,
];

/** Places found in an order, each at the lowest place that is free over all of its columns. */
function stacked(order: readonly Wanted[]): { placed: Map<Wanted, Placed>; top: number } {
  const placed = new Map<Wanted, Placed>();
  let top = 0;
  for (const one of order) {
    const beside = [...placed.values()].filter((other) => other.start < one.end && one.start < other.end);
    const low = firstFit(beside, one.height);
    const { index, start, end, height } = one;
    top = Math.max(top, low + height);
    placed.set(one, { index, start, end, low, high: low + height });
  }
  return { placed, top };
}

/** The largest of some numbers, however many: `Math.max` takes no more than fit on the stack. */
export function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, one) => (one > most ? one : most), Number.NEGATIVE_INFINITY);
}

/** The lowest place where `height` bytes are free beside others. */
function firstFit(beside: readonly Placed[], height: number): number {
  let low = 0;
  for (const other of [...beside].sort((a, b) => a.low - b.low)) {
    if (other.low - low >= height) return low;
    low = Math.max(low, other.high);
  }
  return low;
}

/** Round numbers of bytes for an axis that reaches `top`, at most `most` of them, 0 left out. */
export function ticks(top: number, most: number): number[] {
  let step = 1;
  while (top / step > most) step *= 2;
  return Array.from({ length: Math.floor(top / step) }, (_, index) => (index + 1) * step);
}

/** Bytes in words, as the command line has them; `like`: in the unit that this number of bytes takes. */
export function words(bytes: number, like = bytes): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let unit = 0;
  while (unit < units.length - 1 && Math.round((like / 1024 ** unit) * 100) >= 102400) unit += 1;
  return `${Math.round((bytes / 1024 ** unit) * 100) / 100} ${units[unit] ?? "B"}`;
}

/** What of a picture is shown. */
export interface Filter {
  /** Part of a name; empty: all. */
  readonly name: string;
  readonly least: number;
  /** A resource or memory space; empty: all. */
  readonly kind: string;
}

/** The indices of the blocks that a filter lets through. A buffer of unknown size always passes. */
export function passing(picture: Picture, filter: Filter): number[] {
  const name = filter.name.toLowerCase();
  return picture.blocks.flatMap((block, index) => {
    const large = block.bytes === null || block.bytes === 0 || block.bytes >= filter.least;
    const kind = filter.kind === "" || kindOf(block) === filter.kind;
    return large && kind && block.name.toLowerCase().includes(name) ? [index] : [];
  });
}

/** Resource and memory space of a block, in words. */
export function kindOf(block: Block): string {
  return block.space && block.space !== "default" ? `${block.resource}, ${block.space}` : block.resource;
}
