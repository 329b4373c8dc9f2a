// What a user's hands and eyes do in the page. Everything is polled for: nothing here sleeps for luck.
import { AT_ONCE, PATIENCE } from "./editor.mjs";

/** Milliseconds until a key is pressed again, or a place is clicked again, whose effect is not seen: it may have been too early. */
export const AGAIN = 10_000;

/** Wait until `look` gives a text that matches `pattern`, and give it; the error says which text it was instead. */
export async function untilMatches(what, look, pattern, patience = PATIENCE) {
  let seen = "";
  const matches = async () => pattern.test((seen = await look())) && seen;
  return until(what, matches, patience).catch((error) => {
    throw new Error(`${error.message}; the text: ${JSON.stringify(seen)}`);
  });
}

/** Wait until `look` gives something true, and give it. */
export async function until(what, look, patience = PATIENCE) {
  const end = Date.now() + patience;
  let last;
  while (Date.now() < end) {
    try {
      last = await look();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`waited in vain for ${what}; last seen: ${String(last)}`);
}

/** The field on top of the window, where it is open. */
export const INPUT = ".quick-input-widget:not([style*='display: none']) input";

/** Hands and eyes on one page. */
export class Hands {
  constructor(page) {
    this.page = page;
  }

  /** The visible lines of the active editor, as a reader sees them. */
  async lines() {
    const lines = await this.page.$$eval(".editor-group-container.active .view-lines .view-line", (all) =>
      all.map((line) => ({ top: parseFloat(line.style.top), text: line.textContent ?? "" })));
    return lines.sort((a, b) => a.top - b.top).map((line) => line.text.replace(/\u00a0/g, " ").replace(/[\u200a-\u200d]/g, ""));
  }

  /**
   * Write into the field on top of the window, which `key` opens, and choose once `ready` finds what is written taken in.
   * Enter goes to the field itself: where it closes in that moment, the key would break a line of the program.
   */
  async choose(key, text, ready) {
    const input = this.page.locator(INPUT).first();
    await this.page.keyboard.press(key);
    await input.fill(text, { timeout: AGAIN });
    await until(`${text} to be read`, ready, AGAIN);
    await input.press("Enter", { timeout: AGAIN });
  }

  /** Run a command by its title. */
  async run(title) {
    const first = this.page.locator(".quick-input-list .monaco-list-row .label-name").first();
    await until(`the palette for ${title}`, async () => {
      let listed;
      const ready = async () => (listed = await first.textContent({ timeout: AGAIN })) === title;
      await this.choose("F1", `>${title}`, ready).catch((error) => {
        throw new Error(`${error.message}; first in the list: ${listed}`);
      });
      return true;
    });
  }

  /** Put the cursor somewhere; lines and columns count from 1. With a name of an open file, there: what was opened before may come up late. */
  async goTo(line, column = 1, file = undefined) {
    const wanted = new RegExp(`Ln ${line}, Col ${column}(?!\\d)`);
    await until(`the cursor in line ${line}`, async () => {
      if (file) await this.page.locator(".tab", { hasText: file }).click({ timeout: AGAIN });
      await this.page.keyboard.press("Control+1"); // the first group of editors has the keyboard now
      await this.choose("Control+G", `:${line}:${column}`, () => true);
      return until("its place", async () => wanted.test(await this.position()), AGAIN);
    });
  }

  /** How many squiggles of a kind are seen. */
  squiggles(kind) {
    return this.page.locator(`.view-overlays .squiggly-${kind}`).count();
  }

  /** The text of the item in the status bar. */
  status() {
    return this.seen('[id*="memlane.status"]');
  }

  /** The text in the status bar once the cursor is somewhere. */
  async statusAt(line, column) {
    if (!(await this.position()).includes(`Ln ${line}, Col ${column}`)) await this.goTo(line, column);
    return this.status();
  }

  /**
   * What the row of a list says that has such a text, and how it is drawn. The list is opened by `open`, and opened again where it
   * has closed (a list closes as soon as something else has the keyboard) or has no such row.
   */
  async row(list, text, open) {
    return this.inList(list, text, open, (row) => row.evaluate((one) => ({ text: one.textContent, drawn: one.className }), undefined, { timeout: AGAIN }));
  }

  /** Click the row of a list that has such a text; as `row` otherwise. */
  async pick(list, text, open) {
    return this.inList(list, text, open, async (row) => {
      await row.click({ timeout: AGAIN });
      return true;
    });
  }

  /** Do something with the row of a list that has such a text; what `row` and `pick` share. */
  async inList(list, text, open, action) {
    // The palette keeps what it listed, unseen, after it has closed.
    const row = this.page.locator(list, { hasText: text }).filter({ visible: true }).first();
    return until(`${text} in a list`, async () => {
      if ((await row.count()) === 0) {
        await this.page.keyboard.press("Escape"); // closes a list that has other rows
        await open();
      }
      return action(row);
    });
  }

  /**
   * Click until `look` gives something true, and give it. What is clicked may be laid out anew in that moment, and an editor that comes
   * up may give the keyboard to what was clicked: so only for what may be clicked twice.
   */
  async click(locator, what, look, clicks = { clickCount: 1 }) {
    return until(what, async () => {
      await locator.click({ ...clicks, timeout: AGAIN });
      return until(what, look, AGAIN);
    });
  }

  /** What the editor says of the grammar at a place. */
  async scopes(line, column) {
    await this.goTo(line, column);
    await this.run("Developer: Inspect Editor Tokens and Scopes");
    return untilMatches("the scopes", () => this.seen(".token-inspect-widget"), /textmate scopes/);
  }

  /** Where the cursor is, as the status bar has it; nothing while no text has the keyboard. */
  position() {
    return this.seen('[id="status.editor.selection"]');
  }

  /** The text of what there is of a selector now, without waiting for any. */
  async seen(selector) {
    return (await this.page.locator(selector).allTextContents()).join("\n");
  }

  /** All of the active file that is on the screen. */
  async text() {
    return (await this.lines()).join("\n");
  }

  /** The pictures beside the lines, as SVG. */
  lanes() {
    return this.page.$$eval(".glyph-margin-widgets .cgmr", (all) =>
      all.flatMap((one) => {
        const found = /data:image\/svg\+xml;base64,([\w+/=]+)/.exec(getComputedStyle(one).backgroundImage);
        return found ? [atob(found[1])] : [];
      }));
  }

  /** The frame of a webview that shows such an element. */
  frameWith(selector, patience = PATIENCE) {
    return until(`a frame with ${selector}`, async () => {
      for (const frame of this.page.frames()) {
        if ((await frame.locator(selector).count().catch(() => 0)) > 0) return frame;
      }
      return undefined;
    }, patience);
  }

  /** Apply the code action at the cursor whose title matches. Enter goes to the list itself: without one it would break a line. */
  async quickFix(title) {
    const list = ".action-widget .monaco-list";
    const row = `${list}-row`;
    await until(`the action ${title}`, async () => {
      // Where the list is there, however late, the key would choose from it.
      if ((await this.page.locator(row).count()) === 0) await this.page.keyboard.press("Control+.");
      await this.page.waitForSelector(row, { timeout: AGAIN });
      const focused = await this.page.textContent(`${row}.focused`, { timeout: AGAIN });
      if (title.test(focused)) {
        await this.page.locator(list).press("Enter", { timeout: AGAIN });
        return true;
      }
      await this.page.keyboard.press("ArrowDown");
      return false;
    });
  }

  /** A picture of the screen, where somebody wants them: the directory MEMLANE_SHOTS. */
  async shoot(name) {
    if (process.env.MEMLANE_SHOTS) await this.page.screenshot({ path: `${process.env.MEMLANE_SHOTS}/${name}.png` });
  }
}
