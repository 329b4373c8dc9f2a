/** What `memlane passes --output-format json-lines` prints, and how it reads. Pure. */

import { words } from "../../webview/geometry";

/** Findings of one rule that a pass introduced. */
export interface Introduced {
  readonly rule: string;
  readonly count: number;
  /** The first of them, in the names of its dump. */
  readonly says: string;
  readonly line: number;
}

/** One dump of a log. Lines are of the log, or of `file` where it is in a folder of dumps, and count from 1. */
export interface Pass {
  readonly title: string;
  readonly argument: string;
  readonly failed: boolean;
  /** The line of its header. */
  readonly line: number;
  readonly file: string | null;
  readonly of: string;
  readonly peak: string;
  readonly ideal: string;
  /** To draw with; nothing: not known. */
  readonly bytes: { readonly peak: number | null; readonly ideal: number | null };
  readonly peakLine: number;
  readonly sites: number;
  readonly leaks: number;
  readonly late: number;
  /** The functions whose peak grew, in words, and by how many bytes in all. */
  readonly grown: readonly string[];
  readonly growth: number;
  readonly introduced: readonly Introduced[];
  readonly gone: number;
  /** Bytes of the log that were read so far. */
  readonly read: number;
}

interface Row {
  readonly pass: string;
  readonly argument: string;
  readonly failed: boolean;
  readonly filename: string | null;
  readonly row: number;
  readonly peak_row: number;
  readonly read_bytes: number;
  readonly of: string;
  readonly peak_bytes: number | null;
  readonly peak_expr: string | null;
  readonly ideal_peak_bytes: number | null;
  readonly ideal_peak_expr: string | null;
  readonly exact: boolean;
  readonly sites: number;
  readonly leaks: number;
  readonly late: number;
  readonly grown: readonly { readonly function: string; readonly before: number; readonly after: number }[];
  readonly new: readonly { readonly count: number; readonly row: number; readonly first: string }[] | null;
  readonly gone: Readonly<Record<string, number>> | null;
}

/** The dump that a line is about. */
export function passOf(line: string): Pass {
  const row = JSON.parse(line) as Row;
  const { argument, failed, row: header, of, sites, leaks, late, grown } = row;
  const size = (bytes: number | null, expression: string | null): string => (bytes === null ? (expression ?? "unknown") : words(bytes));
  return {
    title: row.pass.replace(/^After (?=\S)/, ""),
    argument,
    failed,
    line: header,
    file: row.filename,
    of,
    peak: (row.exact ? "" : "≤ ") + size(row.peak_bytes, row.peak_expr),
    ideal: size(row.ideal_peak_bytes, row.ideal_peak_expr),
    bytes: { peak: row.peak_bytes, ideal: row.ideal_peak_bytes },
    peakLine: row.peak_row,
    sites,
    leaks,
    late,
    grown: grown.map((one) => `@${one.function} grows from ${words(one.before)} to ${words(one.after)}`),
    growth: grown.reduce((sum, one) => sum + one.after - one.before, 0),
    introduced: byRule(row.new ?? []),
    gone: Object.values(row.gone ?? {}).reduce((sum, count) => sum + count, 0),
    read: row.read_bytes,
  };
}

/** Findings that are alike are one entry, with the first of them. */
function byRule(found: NonNullable<Row["new"]>): Introduced[] {
  const rules = new Map<string, Introduced>();
  for (const { count, row, first } of found) {
    const rule = /^@.*? ([a-z-]+): /.exec(first)?.[1] ?? "";
    const before = rules.get(rule);
    const one = before && before.line <= row ? before : { rule, says: first.replace(` ${rule}: `, ": "), line: row };
    rules.set(rule, { ...one, count: count + (before?.count ?? 0) });
  }
  return [...rules.values()].sort((a, b) => b.count - a.count);
}

/** The dumps that are to be looked at first: those that made peaks grow, then those that introduced findings. */
export function culprits(passes: readonly Pass[]): Pass[] {
  const count = (pass: Pass): number => pass.introduced.reduce((sum, one) => sum + one.count, 0);
  return passes.filter((pass) => pass.growth > 0 || count(pass) > 0 || pass.failed).sort((a, b) => b.growth - a.growth || count(b) - count(a));
}

/** Two dumps to compare, the earlier first: the first and last of those picked; of one, it and the one before it. */
export function pairOf(passes: readonly Pass[], picked: readonly Pass[]): readonly [Pass, Pass] | undefined {
  const order = passes.filter((pass) => picked.includes(pass));
  const last = order.at(-1);
  if (!last) return undefined;
  if (order.length > 1) return [order[0] ?? last, last];
  const place = passes.indexOf(last);
  const [before, after] = [passes[place - 1], passes[place + 1]];
  return before ? [before, last] : after ? [last, after] : undefined;
}
