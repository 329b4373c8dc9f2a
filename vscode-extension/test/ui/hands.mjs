// What a user's hands and eyes do in the page. Everything is polled for: nothing here sleeps for luck.
import { PATIENCE } from "./editor.mjs";

/** Milliseconds until a key is pressed again whose effect is not seen: it may have been pressed too early. */
const AGAIN = 10_000;

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

const INPUT = ".quick-input-widget:not([style*='display: none']) input";

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

  /** Run a command by its title. */
  async run(title) {
    await until(`the palette for ${title}`, async () => {
      await this.page.keyboard.press("F1");
      const input = await this.page.waitForSelector(INPUT, { timeout: AGAIN });
      await input.fill(`>${title}`, { timeout: AGAIN });
      const label = await this.page.waitForSelector(".quick-input-list .monaco-list-row .label-name", { timeout: AGAIN });
      return (await label.textContent()) === title;
    });
    await this.page.keyboard.press("Enter");
  }

  /** Put the cursor somewhere; lines and columns count from 1. */
  async goTo(line, column = 1) {
    const wanted = new RegExp(`Ln ${line}, Col ${column}(?!\\d)`);
    await until(`the cursor in line ${line}`, async () => {
      await this.page.keyboard.press("Control+1"); // the first group of editors has the keyboard now
      await this.page.keyboard.press("Control+G");
      const input = await this.page.waitForSelector(INPUT, { timeout: AGAIN });
      await input.fill(`:${line}:${column}`, { timeout: AGAIN });
      await this.page.keyboard.press("Enter");
      return until("its place", async () => wanted.test(await this.position()), AGAIN);
    });
  }

  /** How many squiggles of a kind are seen. */
  squiggles(kind) {
    return this.page.locator(`.view-overlays .squiggly-${kind}`).count();
  }

  /** The text of the item in the status bar. */
  async status() {
    return (await this.page.locator('[id*="memlane.status"]').textContent()) ?? "";
  }

  /** The text in the status bar once the cursor is somewhere. */
  async statusAt(line, column) {
    if (!(await this.position()).includes(`Ln ${line}, Col ${column}`)) await this.goTo(line, column);
    return this.status();
  }

  /** Where the cursor is, as the status bar has it. */
  async position() {
    return (await this.page.textContent('[id="status.editor.selection"]')) ?? "";
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
  frameWith(selector) {
    return until(`a frame with ${selector}`, async () => {
      for (const frame of this.page.frames()) {
        if ((await frame.locator(selector).count().catch(() => 0)) > 0) return frame;
      }
      return undefined;
    });
  }

  /** Apply the code action at the cursor whose title matches. */
  async quickFix(title) {
    const row = ".action-widget .monaco-list-row";
    await until(`the action ${title}`, async () => {
      // Where the list is there, however late, the key would choose from it.
      if ((await this.page.locator(row).count()) === 0) await this.page.keyboard.press("Control+.");
      await this.page.waitForSelector(row, { timeout: AGAIN });
      const focused = await this.page.textContent(`${row}.focused`, { timeout: AGAIN });
      if (title.test(focused)) return true;
      await this.page.keyboard.press("ArrowDown");
      return false;
    });
    await this.page.keyboard.press("Enter");
  }

  /** A picture of the screen, where somebody wants them: the directory MEMLANE_SHOTS. */
  async shoot(name) {
    if (process.env.MEMLANE_SHOTS) await this.page.screenshot({ path: `${process.env.MEMLANE_SHOTS}/${name}.png` });
  }
}
