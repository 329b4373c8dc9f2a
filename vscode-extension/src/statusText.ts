/** The words of the status bar. Pure. */

import type { ServerState } from "./client";
import type { CursorAnswer } from "./protocol";

/** How many findings a file has. */
export interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly others: number;
}

const STATES: Record<Exclude<ServerState, "running">, { icon: string; says: string }> = {
  starting: { icon: "$(loading~spin)", says: "The server is starting." },
  stopped: { icon: "$(circle-slash)", says: "The server is not running." },
  "no-python": { icon: "$(warning)", says: "No suitable Python was found. Click to choose one." },
  failed: { icon: "$(error)", says: "The server has stopped unexpectedly. Click for its log." },
};

/** What the item shows, says to those who hover or listen, and whether it asks for attention. */
export function statusText(
  state: ServerState,
  counts: Counts,
  cursor: CursorAnswer | undefined,
  measuring = false,
): { text: string; tooltip: string; bad: boolean } {
  if (state !== "running") {
    const { icon, says } = STATES[state];
    return { text: `${icon} Memlane`, tooltip: `Memlane: ${says}`, bad: state === "no-python" || state === "failed" };
  }
  const said = [number(counts.errors, "error"), number(counts.warnings, "warning"), number(counts.others, "hint")];
  const findings = said.filter((one) => one !== "").join(", ") || "no findings";
  const one = cursor?.function;
  const all = counts.errors + counts.warnings + counts.others;
  if (measuring) return { text: "$(loading~spin) Memlane: measuring", tooltip: "Memlane: this file is being measured.", bad: false };
  const text = all ? `$(layers) ${number(all, "finding")}` : "$(layers) Memlane";
  const click = one ? ` Click for the memory of @${one.name}.` : ""; // its peak is said by the lens
  return { text, tooltip: `Memlane: ${findings} in this file.${click}`, bad: false };
}

function number(count: number, word: string): string {
  return count === 0 ? "" : `${count} ${word}${count === 1 ? "" : "s"}`;
}
