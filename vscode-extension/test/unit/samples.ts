/** Lanes for tests, written by their steps. */

import type { Buffer, Bytes, Free, FunctionLanes, Segment } from "../../src/protocol";

/** An amount of so many bytes; nothing: without bound. */
export function bytes(count: number | null): Bytes {
  return { bytes: count, expression: count === null ? "unbounded" : null, drawn: count, label: count === null ? "unbounded" : `${count} B` };
}

function place(line: number): { start: { line: number; character: number }; end: { line: number; character: number } } {
  return { start: { line, character: 2 }, end: { line, character: 8 } };
}

/** What a test says of a buffer; lines are those of steps. */
export interface Wanted {
  readonly name: string;
  readonly line: number;
  readonly bytes?: number | null;
  readonly segments: readonly Segment[];
  readonly frees?: readonly number[];
  readonly leak?: "always" | "some";
  readonly resource?: string;
  readonly space?: string;
  readonly late?: number;
}

/** A function whose steps are in these lines, from line 1 to line `last`. */
export function lanes(steps: readonly number[], buffers: readonly Wanted[], last = (steps.at(-1) ?? 0) + 2): FunctionLanes {
  const peak = { ...bytes(100), step: 1, range: null, exact: true };
  const range = { start: { line: 1, character: 0 }, end: { line: last, character: 1 } };
  return {
    name: "f",
    range,
    selectionRange: place(1),
    steps: steps.map((line, index) => ({ op: "x.y", range: place(line), live: bytes(index * 10), inside: null })),
    regions: [],
    buffers: buffers.map((one, row) => buffer(one, row, steps)),
    rows: buffers.length,
    peak,
    ideal: bytes(80),
    note: null,
    unknowns: [],
  };
}

function buffer(one: Wanted, row: number, steps: readonly number[]): Buffer {
  const frees = (one.frees ?? []).map((step): Free => ({ step, range: place(steps[step] ?? 0), late: one.late ?? null, after: null }));
  return {
    name: one.name,
    type: "memref<4xf32>",
    range: place(one.line),
    size: one.bytes === undefined ? bytes(16) : bytes(one.bytes),
    resource: one.resource ?? "heap",
    space: one.space ?? "default",
    row,
    segments: one.segments,
    uses: [],
    frees,
    leak: one.leak ?? null,
    aliases: 0,
    atPeak: false,
    source: null,
    card: [`${one.name} : memref<4xf32>`, "16 B in default"],
  };
}

/** A piece of life. */
export function segment(start: number, end: number, state: Segment["state"], certainty: Segment["certainty"] = "always"): Segment {
  return { start, end, state, certainty };
}
