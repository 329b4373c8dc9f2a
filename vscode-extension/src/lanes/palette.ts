/**
 * The colours of lanes: those of package.json for the kind of theme, or what the user says in
 * `workbench.colorCustomizations`. Pictures in the gutter cannot refer to colours of the theme, so they are looked up.
 */

import type { Palette } from "./icon";

/** The kinds of themes that colours are declared for. */
export type Kind = "dark" | "light" | "highContrast" | "highContrastLight";

/** A colour as package.json declares it. */
export interface Declared {
  readonly id: string;
  readonly defaults: Readonly<Record<Kind, string>>;
}

const NAMES: Record<keyof Palette, string> = {
  used: "memlane.laneUsed",
  held: "memlane.laneHeld",
  lost: "memlane.laneLost",
  freed: "memlane.laneFreed",
};

const COLOUR = /^#[0-9a-fA-F]{3,8}$/;

/**
 * The palette for a kind of theme.
 *
 * `customized` is the value of `workbench.colorCustomizations`; values in a block of the theme, `[Name]`, take
 * precedence over values outside. Values that are not colours are ignored.
 */
export function palette(declared: readonly Declared[], kind: Kind, customized: Record<string, unknown>, theme: string): Palette {
  const blocks = Object.entries(customized).filter(([key, value]) => names(key, theme) && typeof value === "object");
  const said: Record<string, unknown> = Object.assign({}, customized, ...blocks.map(([, value]) => value));
  const colour = (id: string): string => {
    const own = said[id];
    if (typeof own === "string" && COLOUR.test(own)) return own;
    return declared.find((one) => one.id === id)?.defaults[kind] ?? "#888888";
  };
  return { used: colour(NAMES.used), held: colour(NAMES.held), lost: colour(NAMES.lost), freed: colour(NAMES.freed) };
}

/** Whether a key such as `[Monokai][*Dark*]` names a theme. */
function names(key: string, theme: string): boolean {
  const patterns = [...key.matchAll(/\[([^\]]+)\]/g)].map((match) => match[1] ?? "");
  return patterns.some((pattern) => {
    const [start = "", ...rest] = pattern.split("*");
    if (rest.length === 0) return pattern === theme;
    const end = rest.at(-1) ?? "";
    return theme.startsWith(start) && theme.endsWith(end) && rest.slice(0, -1).every((part) => theme.includes(part));
  });
}
