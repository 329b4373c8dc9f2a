/** Elements, made and changed. Text only ever becomes a text node: nothing here, or elsewhere in the panel, reads HTML. */

/** Attributes; those that are false or undefined are left out, true has no value. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element with children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  change(made, attributes);
  made.append(...children);
  return made;
}

/** An SVG element with children. */
export function shape(name: string, attributes: Attributes = {}, ...children: readonly (Node | string)[]): SVGElement {
  const made = document.createElementNS(SVG, name);
  change(made, attributes);
  made.append(...children);
  return made;
}

/** Give an element these attributes; those that it has already are not touched, so that nothing is painted anew. */
export function change(one: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined) {
      if (one.hasAttribute(name)) one.removeAttribute(name);
    } else {
      const text = value === true ? "" : typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
      if (one.getAttribute(name) !== text) one.setAttribute(name, text);
    }
  }
}

/** Give an element this text. */
export function write(one: Element, text: string): void {
  if (one.textContent !== text) one.textContent = text;
}

/** Children of `parent`, kept by key from one drawing to the next. */
export class Keyed<T extends Element> {
  private readonly kept = new Map<string, T>();
  private readonly seen = new Set<string>();

  constructor(private readonly parent: Element) {}

  /** The child of this key: the one of the last drawing, or a new one at the end. */
  get(key: string, make: () => T): T {
    this.seen.add(key);
    const old = this.kept.get(key);
    if (old) return old;
    const made = make();
    this.kept.set(key, made);
    this.parent.append(made);
    return made;
  }

  /** Remove the children that were not asked for since the last call. */
  finish(): void {
    for (const [key, one] of this.kept) {
      if (this.seen.has(key)) continue;
      one.remove();
      this.kept.delete(key);
    }
    this.seen.clear();
  }
}

/** An SVG element that is wanted. Those of one name have the same attributes, some of them perhaps undefined. */
export interface Piece {
  readonly name: string;
  readonly attributes: Attributes;
  readonly text?: string;
}

/** Puts pieces into groups, and remembers what it put: a group that is wanted as it is costs a comparison. */
export class Pieces {
  private readonly known = new WeakMap<Element, string>();

  /** Let these be the children of a group. */
  put(group: Element, wanted: readonly Piece[]): void {
    const said = wanted.map((piece) => `${piece.name}|${Object.values(piece.attributes).join("|")}|${piece.text ?? ""}`).join();
    if (this.known.get(group) === said) return;
    this.known.set(group, said);
    const { children } = group;
    const fits = children.length === wanted.length && wanted.every((piece, index) => children[index]?.tagName === piece.name);
    if (!fits) group.replaceChildren(...wanted.map((piece) => shape(piece.name, {})));
    wanted.forEach((piece, index) => {
      const child = children[index];
      if (!child) return;
      change(child, piece.attributes);
      if (piece.text !== undefined) write(child, piece.text);
    });
  }
}
