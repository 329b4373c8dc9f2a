/** What changed between two versions of a function, buffer by buffer. Pure. */

import type { Block, Picture } from "../panel/picture";

/** One difference; `name` is of the later version where it is there. */
export interface Move {
  readonly name: string;
  readonly kind: "new" | "gone" | "larger" | "smaller" | "leaks" | "freed" | "longer" | "shorter";
  readonly says: string;
}

/** The differences, those of the leaks first, then in the order of the later version. */
export function moves(before: Picture | null, after: Picture | null): Move[] {
  const pairs = paired(before?.blocks ?? [], after?.blocks ?? []);
  const found = pairs.flatMap(([old, now]) => differences(old, now));
  return [...found.filter((one) => one.kind === "leaks"), ...found.filter((one) => one.kind !== "leaks")];
}

/**
 * Buffers of two versions that are the same: by name and, where a name is there several times, in order. What is left
 * is paired by size and resource in order, since passes number values anew.
 */
function paired(before: readonly Block[], after: readonly Block[]): [Block | undefined, Block | undefined][] {
  const left = [...before];
  const first = after.map((now): [Block | undefined, Block] => [take(left, (old) => old.name === now.name), now]);
  const second = first.map(([old, now]): [Block | undefined, Block] => [
    old ?? take(left, (other) => isNumbered(other.name) && isNumbered(now.name) && alike(other, now)),
    now,
  ]);
  return [...second, ...left.map((old): [Block, undefined] => [old, undefined])];
}

function take(from: Block[], fits: (block: Block) => boolean): Block | undefined {
  const index = from.findIndex(fits);
  return index < 0 ? undefined : from.splice(index, 1)[0];
}

function isNumbered(name: string): boolean {
  return /\d$/.test(name) || /^%alloc/.test(name);
}

function alike(one: Block, other: Block): boolean {
  return one.size === other.size && one.resource === other.resource && one.space === other.space;
}

function differences(old: Block | undefined, now: Block | undefined): Move[] {
  if (!old && now) return [{ name: now.name, kind: "new", says: `new, ${now.size}${now.leak ? ", and not freed" : ""}` }];
  if (old && !now) return [{ name: old.name, kind: "gone", says: `gone, ${old.size}` }];
  if (!old || !now) return [];
  const found: Move[] = [];
  const name = now.name;
  if (old.size !== now.size) {
    const kind = (now.bytes ?? Number.MAX_VALUE) >= (old.bytes ?? Number.MAX_VALUE) ? "larger" : "smaller";
    found.push({ name, kind, says: `${old.size} -> ${now.size}` });
  }
  if (!old.leak && now.leak) found.push({ name, kind: "leaks", says: "is no longer freed" });
  if (old.leak && !now.leak) found.push({ name, kind: "freed", says: "is freed now" });
  if (!old.leak && !now.leak && held(old) !== held(now)) {
    const kind = held(now) > held(old) ? "longer" : "shorter";
    found.push({ name, kind, says: `is held ${kind} after its last use (${held(old)} -> ${held(now)} operations)` });
  }
  return found;
}

function held(block: Block): number {
  return block.late;
}
