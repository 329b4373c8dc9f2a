/** Which lane is drawn where: one that stays in sight keeps its place while others come and go. Pure. */

/** The keys in their places: those of `before` where they were, new ones in what is free, `undefined` in the rest. */
export function inPlaces(before: readonly (string | undefined)[], keys: readonly string[]): (string | undefined)[] {
  const places = before.slice(0, Math.max(keys.length, lastKept(before, keys))).map((key) => (key && keys.includes(key) ? key : undefined));
  for (const key of keys) {
    if (places.includes(key)) continue;
    const free = places.indexOf(undefined);
    if (free >= 0) places[free] = key;
    else places.push(key);
  }
  return places;
}

function lastKept(before: readonly (string | undefined)[], keys: readonly string[]): number {
  return before.reduce((last, key, index) => (key && keys.includes(key) ? index + 1 : last), 0);
}
