/** From columns, bytes and rows to pixels. Pure. */

import type { Picture } from "../src/panel/picture";
import { largest, type Layout, type Placed } from "./geometry";

/** Room around the plot, in pixels. */
export const EDGE = { left: 74, right: 16, top: 26, bottom: 30 };
/** The height of the line that names a region. */
export const BAND = 15;
const CURVE = 90;
const GAP = 26;
const HIGHEST_ROW = 30;

/** How large everything is, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The scale of one drawing. */
export class Scale {
  readonly left = EDGE.left;
  readonly right: number;
  readonly bottom: number;
  /** The axis of bytes: that of the blocks, or that of the curve below the lanes. */
  readonly axis: { readonly top: number; y(bytes: number): number };
  /** The width of a column. */
  readonly unit: number;
  private readonly floor: number;
  private readonly step: number;

  constructor(picture: Picture, plan: Layout, size: Size) {
    const depth = Math.max(0, ...picture.regions.map((region) => region.depth + 1));
    const top = EDGE.top + depth * BAND;
    this.right = size.width - EDGE.right;
    this.bottom = size.height - EDGE.bottom;
    // What outlives the last operation ends one column after it.
    const columns = largest([1, picture.lines.length, ...plan.placed.map((one) => one.end)]);
    this.unit = (this.right - this.left) / columns;
    // Lanes are as high as there is room for, up to a point; the curve below takes the rest.
    const rows = Math.min(plan.top * HIGHEST_ROW, this.bottom - CURVE - GAP - top);
    this.floor = plan.mode === "lanes" ? top + rows : this.bottom;
    this.step = Math.max(1, this.floor - top) / plan.top;
    const most = largest([1, picture.scale ?? 0, picture.peak.bytes ?? 0, ...picture.live.map((bytes) => bytes ?? 0)]);
    const [scaled, high] = plan.mode === "lanes" ? [most, this.bottom - this.floor - GAP] : [plan.top, this.floor - top];
    this.axis = { top: scaled, y: (bytes) => this.bottom - (Math.min(bytes, scaled) * Math.max(1, high)) / scaled };
  }

  /** The left edge of a column. */
  x(column: number): number {
    return this.left + column * this.unit;
  }

  /** Top and bottom of a block; thin ones keep a pixel. */
  span(placed: Placed): [number, number] {
    const gap = this.step >= 8 ? 2 : 0;
    const bottom = this.floor - placed.low * this.step;
    return [Math.min(bottom - 1.5, this.floor - placed.high * this.step + gap), bottom];
  }
}

/** The height that lanes want, in pixels: a picture of many is higher than its window, and scrolls. */
export function wantedHeight(picture: Picture, plan: Layout, window: number): number {
  if (plan.mode === "bytes") return window;
  const depth = Math.max(0, ...picture.regions.map((region) => region.depth + 1));
  return Math.max(window, EDGE.top + depth * BAND + plan.top * 15 + GAP + CURVE + EDGE.bottom);
}
