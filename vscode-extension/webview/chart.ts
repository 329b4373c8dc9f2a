/** A picture that can be used: pointer, keyboard and zoom. Shows one function. */

import type { Picture } from "../src/panel/picture";
import type { Card } from "./card";
import { element } from "./dom";
import { Drawing } from "./drawing";
import { kindOf, layout, type Mode } from "./geometry";
import { EDGE, wantedHeight } from "./scale";

/** What is shown, and how. */
export interface Shown {
  readonly picture: Picture;
  readonly mode: Mode;
  /** The blocks that are shown: indices. */
  readonly passing: readonly number[];
  /** The blocks at the cursor. */
  readonly here: ReadonlySet<number>;
  /** 1: as wide as the window. */
  readonly zoom: number;
}

/** What the user does with a picture. */
export interface Wishes {
  reveal(line: number, character: number): void;
  zoom(factor: number): void;
}

/** One picture with its blocks. */
export class Chart {
  readonly root = element("div", { class: "chart" });
  private readonly drawing: Drawing;
  private elements: [number, SVGElement][] = [];
  private shown: Shown | undefined;
  private focused = 0;

  constructor(
    name: string,
    private readonly card: Card,
    private readonly wishes: Wishes,
  ) {
    this.drawing = new Drawing(name);
    this.root.append(this.drawing.svg);
    const { svg } = this.drawing;
    svg.addEventListener("pointermove", (event) => this.point(event));
    svg.addEventListener("pointerleave", () => this.card.hide());
    svg.addEventListener("click", (event) => this.activate(this.indexOf(event.target)));
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focusin", (event) => this.focus(event));
    svg.addEventListener("focusout", () => this.card.hide());
    this.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => this.shown && this.show(this.shown)).observe(this.root);
  }

  /** Show this, in place of what was shown. The place that one looks at stays where it is. */
  show(shown: Shown): void {
    const { clientWidth, clientHeight } = this.root;
    const middle = this.middle();
    const zoomed = this.shown && this.shown.zoom !== shown.zoom;
    this.shown = shown;
    const plan = layout(shown.picture, shown.mode, shown.passing);
    const width = Math.max(240, EDGE.left + EDGE.right + (Math.max(240, clientWidth - 4) - EDGE.left - EDGE.right) * shown.zoom);
    const height = wantedHeight(shown.picture, plan, Math.max(160, clientHeight - 6));
    this.elements = [...this.drawing.draw(shown.picture, plan, { width, height }, shown.here)];
    this.elements.forEach(([, one], place) => one.setAttribute("tabindex", place === this.focused ? "0" : "-1"));
    if (this.focused >= this.elements.length) this.rove(0, false);
    if (zoomed) this.root.scrollLeft = middle * width - clientWidth / 2;
  }

  /** Bring the blocks at the cursor into sight. */
  follow(): void {
    const first = this.elements.find(([index]) => this.shown?.here.has(index));
    first?.[1].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** The SVG, as it is. */
  get svg(): SVGElement {
    return this.drawing.svg;
  }

  private middle(): number {
    const { scrollLeft, clientWidth, scrollWidth } = this.root;
    return (scrollLeft + clientWidth / 2) / Math.max(1, scrollWidth);
  }

  private indexOf(target: EventTarget | null): number | undefined {
    const group = target instanceof Element ? target.closest(".block") : null;
    return this.elements.find(([, one]) => one === group)?.[0];
  }

  private point(event: PointerEvent): void {
    const index = this.indexOf(event.target);
    if (index === undefined) this.card.hide();
    else this.card.show(this.says(index), event.clientX, event.clientY);
  }

  private says(index: number): string[] {
    const block = this.shown?.picture.blocks[index];
    return block ? [`${block.name}  ${block.size}`, kindOf(block), ...block.card.slice(1)] : [];
  }

  private activate(index: number | undefined): void {
    const block = index === undefined ? undefined : this.shown?.picture.blocks[index];
    if (block) this.wishes.reveal(block.line, block.character);
  }

  private focus(event: FocusEvent): void {
    const index = this.indexOf(event.target);
    if (index === undefined || !(event.target instanceof Element)) return;
    const { left, bottom } = event.target.getBoundingClientRect();
    this.card.show(this.says(index), Math.max(left, 0), bottom);
  }

  private key(event: KeyboardEvent): void {
    const last = this.elements.length - 1;
    const places: Record<string, number> = {
      ArrowRight: this.focused + 1,
      ArrowDown: this.focused + 1,
      ArrowLeft: this.focused - 1,
      ArrowUp: this.focused - 1,
      Home: 0,
      End: last,
    };
    const place = places[event.key];
    if (place !== undefined) this.rove(Math.max(0, Math.min(last, place)), true);
    else if (event.key === "Enter" || event.key === " ") this.activate(this.elements[this.focused]?.[0]);
    else if (event.key === "Escape") this.card.hide();
    else if (event.key === "+" || event.key === "=") this.wishes.zoom(1.5);
    else if (event.key === "-") this.wishes.zoom(1 / 1.5);
    else return;
    event.preventDefault();
  }

  /** Move the one stop of the tabulator key to another block. */
  private rove(place: number, focus: boolean): void {
    this.elements[this.focused]?.[1].setAttribute("tabindex", "-1");
    this.focused = place;
    const one = this.elements[place]?.[1];
    one?.setAttribute("tabindex", "0");
    if (focus) one?.focus();
  }

  private wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.wishes.zoom(event.deltaY < 0 ? 1.25 : 1 / 1.25);
  }
}
