/** Fields for dimensions that the text leaves open: a number for each, which the workspace remembers. */

import { element } from "./dom";

/** A row of fields; hidden where all is known. */
export class Unknowns {
  readonly root = element("form", { class: "unknowns", "aria-label": "Unknown dimensions", hidden: true });
  private said = "";

  /** @param give is called with a number for a dimension, or nothing where the field was emptied. */
  constructor(private readonly give: (name: string, value: number | null) => void) {
    this.root.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Offer a field for each of these; `given`: what they have already. A field that is being typed in stays. */
  show(unknowns: readonly string[], given: Readonly<Record<string, number>>): void {
    const names = [...new Set([...unknowns, ...Object.keys(given)])].sort();
    this.root.hidden = names.length === 0;
    const said = JSON.stringify([names, given]);
    if (said === this.said) return;
    this.said = said;
    const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement.name : "";
    const fields = names.map((name) => this.field(name, given[name]));
    this.root.replaceChildren(element("span", {}, "Unknown dimensions:"), ...fields);
    const again = fields.map((one) => one.querySelector("input")).find((one) => one?.name === focused);
    if (focused) again?.focus();
  }

  private field(name: string, value: number | undefined): HTMLLabelElement {
    const input = element("input", { type: "number", name, min: 0, step: 1, placeholder: "?", value });
    input.addEventListener("change", () => {
      const number = input.value === "" ? null : Number(input.value);
      if (number === null || (Number.isSafeInteger(number) && number >= 0)) this.give(name, number);
    });
    return element("label", {}, element("code", {}, name), " = ", input);
  }
}
