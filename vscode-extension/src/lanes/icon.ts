/** The picture beside one line: lanes as bars, in SVG. Pure. */

import type { Cell } from "./cells";

/** Colours of lanes, as CSS has them. */
export interface Palette {
  readonly used: string;
  readonly held: string;
  readonly lost: string;
  readonly freed: string;
}

/** A lane in a line, and whether the cursor is on another buffer. */
export interface Drawn {
  readonly cell: Cell | undefined;
  readonly dim: boolean;
}

const WIDTH = 100;
const HEIGHT = 100;

/** The same for all lines that look the same: what a cache of pictures is keyed by. */
export function keyOf(row: readonly Drawn[]): string {
  return row.map(({ cell, dim }) => (cell ? `${cell.state.slice(0, 2)}${Number(cell.some)}${Number(cell.first)}${Number(cell.freed)}${Number(dim)}` : "-")).join(".");
}

/** The picture as an SVG document. It stretches to whatever room it gets, so that lanes of neighbouring lines meet. */
export function icon(row: readonly Drawn[], palette: Palette): string {
  const step = WIDTH / Math.max(row.length, 3);
  const bars = row.map(({ cell, dim }, index) => (cell ? bar(cell, WIDTH - (row.length - index) * step, step, dim, palette) : ""));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">` +
    `${bars.join("")}</svg>`
  );
}

/**
 * One lane, `step` wide with its gap: solid in use, hatched while held, solid red with a notch where lost, thin where
 * handed over. Shape tells as much as colour does.
 */
function bar(cell: Cell, x: number, step: number, dim: boolean, palette: Palette): string {
  const width = step * 0.62;
  const top = cell.first ? 30 : 0;
  const bottom = cell.freed ? 60 : HEIGHT;
  const colour = { "in-use": palette.used, held: palette.held, leaked: palette.lost, "handed-over": palette.used }[cell.state];
  const parts = [shape(cell, x, width, top, bottom, colour)];
  if (cell.freed) parts.push(rect(x - step * 0.16, step * 0.94, 64, 80, palette.freed));
  return `<g opacity="${dim ? 0.28 : cell.some ? 0.75 : 1}">${parts.join("")}</g>`;
}

function shape(cell: Cell, x: number, width: number, top: number, bottom: number, colour: string): string {
  if (cell.state === "in-use") return rect(x, width, top, bottom, colour);
  if (cell.state === "handed-over") return rect(x + width * 0.35, width * 0.3, top, bottom, colour);
  // Held: rungs. Lost: rungs on a rail, so that it differs from held without its colour.
  const rungs: string[] = [];
  for (let y = top; y < bottom; y += 25) rungs.push(rect(x, width, y, Math.min(y + 13, bottom), colour));
  if (cell.state === "leaked") rungs.push(rect(x, width * 0.4, top, bottom, colour));
  return rungs.join("");
}

function rect(x: number, width: number, top: number, bottom: number, colour: string): string {
  const number = (value: number): string => String(Math.round(value * 10) / 10);
  return `<rect x="${number(x)}" y="${top}" width="${number(width)}" height="${bottom - top}" fill="${colour}"/>`;
}
