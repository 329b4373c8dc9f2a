/**
 * What to draw beside each line of a function: from steps and segments to cells, one for each lane and line. Pure.
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

/** The lanes that fit, the largest buffers first; those of the same size in the order of the text. */
export function lanesThatFit(lanes: FunctionLanes, most: number): readonly Buffer[] {
  const size = (buffer: Buffer): number => (buffer.size ? (buffer.size.drawn ?? Number.MAX_VALUE) : 0);
  const chosen = [...lanes.buffers].sort((a, b) => size(b) - size(a)).slice(0, most);
  return lanes.buffers.filter((buffer) => chosen.includes(buffer));
}

/** The cells of some buffers of a function. */
export function cells(lanes: FunctionLanes, buffers: readonly Buffer[]): readonly LaneCells[] {
  return buffers.map((buffer) => ({ buffer, cells: cellsOf(lanes, buffer) }));
}

function cellsOf(lanes: FunctionLanes, buffer: Buffer): ReadonlyMap<number, Cell> {
  const found = new Map<number, Cell>();
  const made = buffer.range.start.line;
  const frees = new Set(buffer.frees.map((free) => free.range.start.line));
  let next = made;
  for (const segment of buffer.segments) {
    const { state } = segment;
    const last = lastLine(lanes, segment.end, state);
    for (let line = next; line <= last; line++) {
      found.set(line, { state, some: segment.certainty === "some", first: line === made, freed: frees.has(line) });
    }
    next = Math.max(next, last + 1);
  }
  for (const line of frees) {
    const before = found.get(line) ?? found.get(line - 1);
    found.set(line, { state: before?.state ?? "in-use", some: before?.some ?? false, first: line === made, freed: true });
  }
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

/** The lines where a buffer lives: certainly, and possibly. Ends are inclusive. */
export interface LiveLines {
  readonly definite: readonly (readonly [number, number])[];
  readonly possible: readonly (readonly [number, number])[];
}

/** Where buffers live, put together: a line is certain if one of them certainly lives there. */
export function liveLines(lanes: FunctionLanes, buffers: readonly Buffer[], certain: boolean): LiveLines {
  const definite = new Set<number>();
  const possible = new Set<number>();
  for (const { cells: lines } of cells(lanes, buffers)) {
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
