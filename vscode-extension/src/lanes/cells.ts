/**
 * What to draw beside the lines of a function that are in sight: from steps and segments to cells, one for each lane
 * and line. Pure.
 *
 * A segment covers the lines from that of its first step to that of its last; a buffer that is held, leaked or handed
 * over is so from the line after what came before it, up to the line before what comes next.
 */

import type { Buffer, FunctionLanes, State } from "../protocol";

/** One lane in one line. */
export interface Cell {
  readonly state: State;
  /** On some paths only. */
  readonly some: boolean;
  /** The buffer is allocated in this line. */
  readonly first: boolean;
  /** It is deallocated in this line. */
  readonly freed: boolean;
}

/** A lane: its buffer, and its cells by line. */
export interface LaneCells {
  readonly buffer: Buffer;
  readonly cells: ReadonlyMap<number, Cell>;
}

/** The lines in sight; ends are inclusive. */
export interface Sight {
  readonly from: number;
  readonly to: number;
}

/** All lines. */
export const ALL: Sight = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Where lanes stand: each place holds buffers that do not live in the same lines, in the order they were placed. */
export type Places = readonly (readonly Buffer[])[];

/**
 * The buffers in sight whose lanes fit into `most` places: `first` those, then the largest. What does not fit beside
 * larger ones is left out. A buffer keeps the place it has in `before`, where that is free.
 */
export function fitting(lanes: FunctionLanes, most: number, sight: Sight, first: readonly Buffer[] = [], before: Places = []): Places {
  const size = (buffer: Buffer): number => (buffer.size ? (buffer.size.drawn ?? Number.MAX_VALUE) : 0);
  const seen = lanes.buffers.filter((buffer) => buffer.range.start.line <= sight.to && lastOf(lanes, buffer) >= sight.from);
  const order = [...seen].sort((a, b) => Number(first.includes(b)) - Number(first.includes(a)) || size(b) - size(a));
  const places: Buffer[][] = Array.from({ length: most }, () => []);
  for (const buffer of order) {
    const [start, end] = [buffer.range.start.line, lastOf(lanes, buffer)];
    const free = (place: Buffer[]): boolean => place.every((one) => lastOf(lanes, one) < start || one.range.start.line > end);
    const old = places[before.findIndex((place) => place.some((one) => isSame(one, buffer)))];
    (old && free(old) ? old : places.find(free))?.push(buffer);
  }
  while (places.at(-1)?.length === 0) places.pop();
  return places;
}

/** Whether two versions of a function mean the same buffer: its name is enough where lines move. */
function isSame(one: Buffer, other: Buffer): boolean {
  return one.name === other.name && one.type === other.type;
}

/** The cells of some buffers of a function, in the lines in sight. */
export function cells(lanes: FunctionLanes, buffers: readonly Buffer[], sight: Sight): readonly LaneCells[] {
  return buffers.map((buffer) => ({ buffer, cells: cellsOf(lanes, buffer, sight) }));
}

function cellsOf(lanes: FunctionLanes, buffer: Buffer, sight: Sight): ReadonlyMap<number, Cell> {
  const found = new Map<number, Cell>();
  const made = buffer.range.start.line;
  const frees = new Set(buffer.frees.map((free) => free.range.start.line));
  const fill = (from: number, to: number, state: State, some: boolean): void => {
    for (let line = Math.max(from, sight.from); line <= Math.min(to, sight.to); line++) {
      found.set(line, { state, some, first: line === made, freed: frees.has(line) });
    }
  };
  let next = made;
  for (const segment of buffer.segments) {
    const last = lastLine(lanes, segment.end, segment.state);
    fill(next, last, segment.state, segment.certainty === "some");
    next = Math.max(next, last + 1);
  }
  // The deallocation itself; and the lines of the operation before it, which are no steps of their own.
  const end = buffer.segments.at(-1);
  fill(next, Math.max(...frees, next - 1), end?.state ?? "in-use", end?.certainty === "some");
  return found;
}

/** The last line of steps that end before `end`. */
function lastLine(lanes: FunctionLanes, end: number, state: State): number {
  const { steps } = lanes;
  const own = steps[end - 1]?.range.start.line ?? lanes.range.start.line;
  if (state === "in-use") return own;
  const next = steps[end]?.range.start.line ?? lanes.range.end.line;
  return Math.max(own, next - 1);
}

function lastOf(lanes: FunctionLanes, buffer: Buffer): number {
  const end = buffer.segments.at(-1);
  const last = end ? lastLine(lanes, end.end, end.state) : buffer.range.start.line;
  return Math.max(last, ...buffer.frees.map((free) => free.range.start.line));
}

/** The lines where a buffer lives: certainly, and possibly. Ends are inclusive. */
export interface LiveLines {
  readonly definite: readonly (readonly [number, number])[];
  readonly possible: readonly (readonly [number, number])[];
}

/** Where buffers live in sight, put together: where they are `certain` and their state is, a line is. */
export function liveLines(lanes: FunctionLanes, buffers: readonly Buffer[], certain: boolean, sight: Sight): LiveLines {
  const definite = new Set<number>();
  const possible = new Set<number>();
  for (const { cells: lines } of cells(lanes, buffers, sight)) {
    for (const [line, cell] of lines) (certain && !cell.some ? definite : possible).add(line);
  }
  return { definite: runs(definite), possible: runs(new Set([...possible].filter((line) => !definite.has(line)))) };
}

function runs(lines: ReadonlySet<number>): [number, number][] {
  const found: [number, number][] = [];
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else found.push([line, line]);
  }
  return found;
}
