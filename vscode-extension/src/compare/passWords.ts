/** What `memlane passes --output-format json-lines` prints, and how it reads in a list. Pure. */

import { words } from "../../webview/geometry";

/** One dump of a log. */
export interface Pass {
  readonly title: string;
  readonly argument: string;
  readonly failed: boolean;
  /** The line of its header, counted from 1. */
  readonly line: number;
  readonly of: string;
  readonly peak: string;
  readonly sites: number;
  readonly leaks: number;
  readonly late: number;
  readonly introduced: number;
}

interface Row {
  readonly pass: string;
  readonly argument: string;
  readonly failed: boolean;
  readonly row: number;
  readonly of: string;
  readonly peak_bytes: number | null;
  readonly peak_expr: string | null;
  readonly sites: number;
  readonly leaks: number;
  readonly late: number;
  readonly new: readonly { readonly count: number }[] | null;
}

/** The dumps, in the order of the log. */
export function parsePasses(out: string): Pass[] {
  return out
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => passOf(JSON.parse(line) as Row));
}

function passOf(row: Row): Pass {
  const { pass: title, argument, failed, row: line, of, sites, leaks, late } = row;
  const introduced = (row.new ?? []).reduce((sum, one) => sum + one.count, 0);
  const peak = row.peak_bytes === null ? (row.peak_expr ?? "unknown") : words(row.peak_bytes);
  return { title, argument, failed, line, of, peak, sites, leaks, late, introduced };
}

/** A dump in one line. */
export function detailOf(pass: Pass): string {
  const parts = [`${pass.of}: peak ${pass.peak}`, `${pass.sites} buffer${pass.sites === 1 ? "" : "s"}`];
  if (pass.leaks > 0) parts.push(`${pass.leaks} leaked`);
  if (pass.late > 0) parts.push(`${pass.late} late`);
  if (pass.introduced > 0) parts.push(`introduces ${pass.introduced}`);
  if (pass.failed) parts.push("the pass failed");
  return parts.join(" · ");
}

/** Two dumps to compare, the earlier first: the first and last of those picked; of one, it and the one before it. */
export function pairOf(passes: readonly Pass[], picked: readonly Pass[]): readonly [Pass, Pass] | undefined {
  const order = [...picked].sort((a, b) => a.line - b.line);
  const last = order.at(-1);
  if (!last) return undefined;
  const place = passes.indexOf(last);
  const first = order.length > 1 ? order[0] : (passes[place - 1] ?? passes[place + 1]);
  if (!first) return undefined;
  return first.line <= last.line ? [first, last] : [last, first];
}
