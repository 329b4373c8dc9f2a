/** The card beside the pointer, or beside the block that has the keyboard: what there is to say of a buffer. */

import { element } from "./dom";

/** One card, moved from block to block. */
export class Card {
  private readonly root = element("div", { id: "card", role: "tooltip", hidden: true });

  constructor(parent: HTMLElement) {
    parent.append(this.root);
  }

  /** Show these lines beside a place of the window, in pixels; the first is the heading. */
  show(lines: readonly string[], x: number, y: number): void {
    const [first = "", ...rest] = lines;
    this.root.replaceChildren(element("strong", {}, first), ...rest.map((line) => element("div", {}, line)));
    this.root.hidden = false;
    const { offsetWidth, offsetHeight } = this.root;
    this.root.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - offsetWidth - 8))}px`;
    this.root.style.top = `${Math.max(4, y + 18 + offsetHeight > window.innerHeight ? y - offsetHeight - 10 : y + 18)}px`;
  }

  /** Show none. */
  hide(): void {
    this.root.hidden = true;
  }
}
