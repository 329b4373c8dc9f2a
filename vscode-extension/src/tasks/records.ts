/** What `memlane check --output-format json-lines` prints, and how a task's terminal shows it. Pure. */

/** A place; rows and columns count from 1, columns in code points. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** A range of a file, and what is said about it. */
export interface Said {
  readonly message: string;
  readonly filename: string;
  readonly location: Place;
  readonly end_location: Place;
}

/** A finding, as far as it is used. */
export interface Record extends Said {
  readonly rule: string;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly notes: readonly Said[];
  readonly url: string;
}

/** The finding in a line; nothing where it holds something else. */
export function recordOf(line: string): Record | undefined {
  if (!line.startsWith('{"rule"')) return undefined;
  try {
    return JSON.parse(line) as Record;
  } catch {
    return undefined;
  }
}

const COLOURS = { error: 31, warning: 33, information: 36, hint: 36 } as const;

/** A finding as a line of a terminal, which makes a link of its place. */
export function lineOf(one: Record): string {
  const place = `${one.filename}:${one.location.row}:${one.location.column}`;
  return `${place}  \x1b[${COLOURS[one.severity]}m${one.severity}[${one.rule}]\x1b[0m  ${one.message}`;
}

/** What a check found in all. */
export function summaryOf(found: readonly Record[]): string {
  const files = new Set(found.map((one) => one.filename)).size;
  return found.length === 0 ? "No findings." : `${count(found.length, "finding")} in ${count(files, "file")}.`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** The place as an editor counts it: from 0, columns in UTF-16 units of the line. */
export function inUnits(place: Place, lines: readonly string[]): { line: number; character: number } {
  const line = place.row - 1;
  const before = [...(lines[line] ?? "")].slice(0, place.column - 1).join("").length;
  return { line, character: Math.max(before, lines[line] === undefined ? place.column - 1 : 0) };
}
