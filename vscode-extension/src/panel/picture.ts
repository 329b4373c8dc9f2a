/** From the lanes of a function to what the memory panel draws: small enough to send at each keystroke. Pure. */

import type { Buffer, Certainty, FunctionLanes, Segment, Source } from "../protocol";

/** A buffer, as the panel draws it. Lines and characters count from 0. */
export interface Block {
  readonly name: string;
  readonly line: number;
  readonly character: number;
  /** For people. */
  readonly size: string;
  /** To draw with; 0: unknown; nothing: without bound. */
  readonly bytes: number | null;
  readonly resource: string;
  readonly space: string;
  readonly row: number;
  readonly segments: readonly Segment[];
  /** Steps of its uses and deallocations. */
  readonly uses: readonly number[];
  readonly frees: readonly number[];
  readonly leak: Certainty | null;
  readonly late: number;
  readonly atPeak: boolean;
  readonly card: readonly string[];
  readonly source: Source | null;
}

/** What the functions take that are called in one column. */
export interface Taken {
  readonly column: number;
  readonly label: string;
  readonly bytes: number | null;
}

/** What the panel draws of one function. */
export interface Picture {
  readonly name: string;
  /** The line of the operation of each column. */
  readonly lines: readonly number[];
  /** The bytes that live after each column, in calls inside them, and never more than the peak; nothing: without bound. */
  readonly live: readonly (number | null)[];
  readonly regions: FunctionLanes["regions"];
  readonly blocks: readonly Block[];
  readonly calls: readonly Taken[];
  /** Dimensions that the text leaves open. */
  readonly unknowns: readonly string[];
  readonly rows: number;
  readonly peak: { readonly bytes: number | null; readonly label: string; readonly column: number | null };
  readonly ideal: { readonly bytes: number | null; readonly label: string };
  readonly note: string | null;
  /** Buffers that are left out, the smallest ones. */
  readonly dropped: number;
  /** Bytes that the axis reaches at least: pictures that are compared share one scale. */
  readonly scale?: number;
}

/** The maximum of buffers that a panel shows: more could not be distinguished. */
export const MOST_BLOCKS = 600;
const MOST_USES = 200;

/** The picture of a function; of too many buffers, the largest, and of those of one size the nearest to line `near`. */
export function picture(lanes: FunctionLanes, near = 0): Picture {
  const kept = new Set(chosen(lanes.buffers, near));
  return {
    name: lanes.name,
    lines: lanes.steps.map((step) => step.range.start.line),
    live: lanes.steps.map((step, column) => liveAt(lanes, column, step.live.drawn)),
    regions: lanes.regions,
    blocks: lanes.buffers.filter((buffer) => kept.has(buffer)).map(block),
    calls: lanes.steps.flatMap((step, column) => (step.inside ? [{ column, label: `${calleesOf(step.inside.callees)} ${step.inside.label}`, bytes: step.inside.drawn }] : [])),
    unknowns: lanes.unknowns,
    rows: lanes.rows,
    peak: { bytes: lanes.peak.drawn, label: lanes.peak.label, column: lanes.peak.step },
    ideal: { bytes: lanes.ideal.drawn, label: lanes.ideal.label },
    note: lanes.note,
    dropped: lanes.buffers.length - kept.size,
  };
}

/** The curve reaches the peak where that is, and nowhere more: what is known of single places may be a bound. */
function liveAt({ peak }: FunctionLanes, column: number, bytes: number | null): number | null {
  if (peak.drawn === null) return bytes;
  return column === peak.step ? peak.drawn : Math.min(bytes ?? peak.drawn, peak.drawn);
}

function calleesOf(names: readonly string[]): string {
  const [first = "a call", ...more] = names.map((name) => `@${name}`);
  return more.length > 0 ? `${first} or ${more.length} more` : first;
}

function chosen(buffers: readonly Buffer[], near: number): readonly Buffer[] {
  if (buffers.length <= MOST_BLOCKS) return buffers;
  const bytes = (buffer: Buffer): number => (buffer.size === null ? 0 : (buffer.size.drawn ?? Number.MAX_VALUE));
  const distance = (buffer: Buffer): number => Math.abs(buffer.range.start.line - near);
  return [...buffers].sort((a, b) => bytes(b) - bytes(a) || distance(a) - distance(b)).slice(0, MOST_BLOCKS);
}

function block(buffer: Buffer): Block {
  return {
    name: buffer.name,
    line: buffer.range.start.line,
    character: buffer.range.start.character,
    size: buffer.size?.label ?? "unknown size",
    bytes: buffer.size === null ? 0 : buffer.size.drawn,
    resource: buffer.resource,
    space: buffer.space,
    row: buffer.row,
    segments: buffer.segments,
    uses: [...new Set(buffer.uses.map((use) => use.step))].slice(0, MOST_USES),
    frees: buffer.frees.map((free) => free.step),
    leak: buffer.leak,
    late: Math.max(0, ...buffer.frees.map((free) => free.late ?? 0)),
    atPeak: buffer.atPeak,
    card: buffer.card,
    source: buffer.source,
  };
}

/** The indices of the blocks of a picture that are allocated at one of some places. */
export function blocksAt(shown: Picture, places: readonly { line: number; character: number }[]): number[] {
  const wanted = new Set(places.map((place) => `${place.line}:${place.character}`));
  return shown.blocks.flatMap((one, index) => (wanted.has(`${one.line}:${one.character}`) ? [index] : []));
}
