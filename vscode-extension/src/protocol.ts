/**
 * Messages that are Memlane's own, as docs/protocol.md describes them. Types only: the memory panel shares them.
 *
 * Lines and characters count from 0; steps count from 0, ranges of steps are half-open.
 */

/** The request for the buffers of functions over program order. */
export const LANES = "memlane/lanes";
/** The request for what is at a position. */
export const CURSOR = "memlane/cursor";
/** The server's command that opens a picture in a browser, with a document's URI and a function's name. */
export const SHOW_LANES = "memlane.server.showLanes";
/** The server's command that tells what a report about a problem should have in it. */
export const INFORMATION = "memlane.server.information";
/** The server's command that publishes the findings of files that are not open. */
export const CHECK_WORKSPACE = "memlane.server.checkWorkspace";
/** The notification that lanes asked for before are others now. */
export const LANES_CHANGED = "memlane/lanesChanged";

/** A place in a document. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** A range of a document; `end` is exclusive. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** On every path that gets there, or on some. */
export type Certainty = "always" | "some";

/** What a buffer is during some steps. */
export type State = "in-use" | "held" | "leaked" | "handed-over";

/** An amount of memory. */
export interface Bytes {
  /** Nothing where it is not known; then `expression` says it. */
  readonly bytes: number | null;
  readonly expression: string | null;
  /** The number to draw it with; nothing where it has no bound. */
  readonly drawn: number | null;
  /** For people. */
  readonly label: string;
}

/** An operation that makes, uses or frees a buffer, or holds such operations. */
export interface Step {
  readonly op: string;
  readonly range: Range;
  /** What lives after it, on the path where that is most. */
  readonly live: Bytes;
  /** Of a call: the most that lives in the functions that it calls; `live` has it, too. */
  readonly inside: (Bytes & { readonly callees: readonly string[] }) | null;
}

/** Steps that lie in a region. */
export interface Region {
  readonly label: string;
  readonly depth: number;
  readonly start: number;
  readonly end: number;
  /** It follows another region of the same operation. */
  readonly alternate: boolean;
}

/** A piece of a buffer's life. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly state: State;
  readonly certainty: Certainty;
}

/** An operation that names a buffer. */
export interface Mention {
  readonly step: number;
  readonly range: Range;
}

/** A deallocation; `late`: by how many operations. */
export interface Free extends Mention {
  readonly late: number | null;
  readonly after: Range | null;
}

/** One buffer. */
export interface Buffer {
  readonly name: string;
  readonly type: string | null;
  readonly range: Range;
  readonly size: Bytes | null;
  readonly resource: string;
  readonly space: string;
  readonly row: number;
  readonly segments: readonly Segment[];
  readonly uses: readonly Mention[];
  readonly frees: readonly Free[];
  readonly leak: Certainty | null;
  readonly aliases: number;
  readonly atPeak: boolean;
  /** Lines for people. */
  readonly card: readonly string[];
  /** Where it comes from, as its location says; `location`: where that is in an open folder. */
  readonly source: Source | null;
}

/** A line of the source that a program was made from. */
export interface Source {
  readonly label: string;
  readonly location: { readonly uri: string; readonly position: Position } | null;
}

/** Where and how large the peak is. */
export interface Peak extends Bytes {
  readonly step: number | null;
  readonly range: Range | null;
  readonly exact: boolean;
}

/** One function. */
export interface FunctionLanes {
  readonly name: string;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly steps: readonly Step[];
  readonly regions: readonly Region[];
  readonly buffers: readonly Buffer[];
  readonly rows: number;
  readonly peak: Peak;
  readonly ideal: Bytes;
  readonly note: string | null;
  /** The dimensions that the text leaves open. */
  readonly unknowns: readonly string[];
}

/** The answer to `memlane/lanes`. */
export interface LanesAnswer {
  readonly uri: string;
  readonly version: number;
  readonly functions: readonly FunctionLanes[];
}

/** A buffer that the name at the cursor may stand for. */
export interface BufferHere {
  readonly name: string;
  readonly range: Range;
  readonly certainty: Certainty;
  readonly names: readonly Range[];
}

/** The answer to `memlane/cursor`. */
export interface CursorAnswer {
  readonly uri: string;
  readonly version: number;
  readonly function: { readonly name: string; readonly peak: Peak; readonly ideal: Bytes; readonly buffers: number } | null;
  readonly buffers: readonly BufferHere[];
  readonly counts: Readonly<Record<"error" | "warning" | "information" | "hint", number>>;
}
