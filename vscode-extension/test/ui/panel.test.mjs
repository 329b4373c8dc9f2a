// The memory panel's page by itself, in Chromium: what names may do to it, keyboard, table, updates, and saved pictures.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { browser, EXTENSION, missing, AT_ONCE } from "./editor.mjs";
import { until } from "./hands.mjs";

const SCRIPT = path.join(EXTENSION, "dist/panel.js");
const skip = missing() ?? (existsSync(SCRIPT) ? false : "the panel is not built: npm run build");
const HOSTILE = `<img src=x onerror="window.hurt=1">"'&amp;<script>window.hurt=2</script>`;

const block = (name, start, end, more = {}) => ({
  name, line: start, character: 2, size: "16 B", bytes: 16, resource: "heap", space: "default", row: start, uses: [start],
  segments: [{ start, end, state: "in-use", certainty: "always" }], frees: [], leak: null, late: 0, atPeak: false,
  card: [`${name} : memref<4xf32>`, "made in line 1"], ...more,
});

const picture = (name, blocks) => ({
  name, blocks, calls: [], unknowns: [], rows: blocks.length, note: null, dropped: 0, regions: [{ label: name, depth: 0, start: 0, end: 3, alternate: false }],
  lines: [0, 1, 2, 3], live: [16, 16, 32, 0],
  peak: { bytes: 32, label: "32 B", column: 1 }, ideal: { bytes: 16, label: "16 B" },
});

const show = (blocks, here = [], name = "f") => ({ type: "show", picture: picture(name, blocks), file: "a.mlir", functions: [name, "g"], here, given: {}, lanes: 0 });

async function open() {
  const chromium = await browser();
  const page = await chromium.newPage({ viewport: { width: 700, height: 500 } });
  page.setDefaultTimeout(AT_ONCE);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.setContent(`<!doctype html><html><body style="background:#fff"><main id="memlane"></main></body></html>`);
  await page.addStyleTag({ content: `:root { --vscode-memlane-laneUsed: #0969da; --vscode-editor-foreground: #111 }\n${readFileSync(path.join(EXTENSION, "media/panel.css"), "utf8")}` });
  await page.evaluate(() => {
    window.posted = [];
    window.acquireVsCodeApi = () => ({ postMessage: (one) => window.posted.push(one), getState: () => undefined, setState: (state) => (window.state = state) });
  });
  await page.addScriptTag({ content: readFileSync(SCRIPT, "utf8") });
  const say = (message) => page.evaluate((one) => window.postMessage(one, "*"), message);
  const posted = (type) => page.evaluate((wanted) => window.posted.filter((one) => one.type === wanted), type);
  return { chromium, page, say, posted, errors };
}

test("the memory panel", { skip, timeout: 1_500_000 }, async (t) => {
  const { chromium, page, say, posted, errors } = await open();
  t.after(() => chromium.close());
  const blocks = () => page.locator(".block");

  await t.test("is ready, and says why it is empty", async () => {
    assert.equal((await posted("ready")).length, 1);
    await say({ type: "nothing", why: HOSTILE });
    await until("the reason", async () => (await page.locator("main").innerText()) === HOSTILE);
  });

  await t.test("shows names that look like HTML as they are, and runs none of them", async () => {
    await say(show([block(HOSTILE, 0, 2, { card: [HOSTILE, HOSTILE], resource: HOSTILE })], [], HOSTILE));
    await until("the block", async () => (await blocks().count()) === 1);
    await blocks().first().hover();
    await until("its card", async () => (await page.locator("#card").innerText()).includes(HOSTILE));
    await page.getByText("Table", { exact: true }).click();
    assert.equal(await page.locator("tbody .name").innerText(), HOSTILE);
    await page.getByText("Bytes", { exact: true }).click();
    await say({ type: "compare", name: HOSTILE, functions: [HOSTILE], before: { title: HOSTILE, picture: null }, after: { title: HOSTILE, picture: picture(HOSTILE, [block(HOSTILE, 0, 1)]) }, moves: [{ name: HOSTILE, kind: "new", says: HOSTILE }] });
    await until("the comparison", async () => (await page.locator(".moves").innerText()).includes(HOSTILE));
    assert.equal(await page.evaluate(() => window.hurt), undefined);
    assert.equal(await page.locator("img, main script").count(), 0);
  });

  await t.test("keeps its elements while the function changes, so that nothing flickers", async () => {
    await say(show([block("%a", 0, 2), block("%b", 1, 3)]));
    await until("two blocks", async () => (await blocks().count()) === 2);
    await page.evaluate(() => document.querySelectorAll(".block, .curve, select").forEach((one) => (one.kept = true)));
    await say(show([block("%a", 0, 3, { size: "32 B", bytes: 32 }), block("%b", 1, 3), block("%c", 2, 3)], [1]));
    await until("three blocks", async () => (await blocks().count()) === 3);
    const kept = await page.$$eval(".block, .curve, select", (all) => all.filter((one) => one.kept).length);
    const all = await page.$$eval(".curve, select", (some) => some.length);
    assert.equal(kept, 2 + all);
    assert.match(await blocks().nth(0).getAttribute("aria-label"), /32 B/);
    assert.equal(await page.locator(".block.here").count(), 1);
    assert.equal(await page.locator(".block.dim").count(), 2);
  });

  await t.test("is used by keyboard: one stop, arrows, Enter", async () => {
    assert.equal(await page.locator('.block[tabindex="0"]').count(), 1);
    await page.locator('.block[tabindex="0"]').focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^%c/);
    assert.ok(await page.locator("#card").isVisible());
    await page.keyboard.press("Enter");
    assert.deepEqual((await posted("reveal")).at(-1), { type: "reveal", line: 2, character: 2 });
    await page.keyboard.press("Escape");
    assert.ok(!(await page.locator("#card").isVisible()));
  });

  await t.test("zooms about the middle and fits again", async () => {
    const width = async () => (await page.locator("svg.picture").boundingBox()).width;
    const before = await width();
    await page.getByLabel("Zoom in").click();
    assert.ok((await width()) > before * 1.3);
    await page.getByLabel("Fit into the window").click();
    assert.equal(await width(), before);
  });

  await t.test("filters by name and size, and says how many it does not show", async () => {
    await say(show([block("%a", 0, 2), block("%big", 1, 3, { bytes: 4096, size: "4 KiB" })]));
    await page.getByLabel("Filter by name").fill("big");
    await until("one block", async () => (await blocks().count()) === 1);
    assert.match(await page.locator(".summary").innerText(), /1 not shown/);
    await page.getByLabel("Filter by name").fill("");
    await page.getByLabel("Smallest size").selectOption("1024");
    await until("one block", async () => (await blocks().count()) === 1);
    await page.getByLabel("Smallest size").selectOption("0");
  });

  await t.test("is read as a table", async () => {
    await page.getByText("Table", { exact: true }).click();
    const rows = await page.locator("tbody tr").allInnerTexts();
    assert.equal(rows.length, 2);
    assert.match(rows[1], /%big\s+4 KiB\s+heap\s+line 2/);
    assert.equal(await page.locator("thead th[scope=col]").count(), 8);
    await page.locator("tbody .name").nth(1).click();
    assert.deepEqual((await posted("reveal")).at(-1), { type: "reveal", line: 1, character: 2 });
    await page.getByText("Lanes", { exact: true }).click();
  });

  await t.test("asks for another function", async () => {
    await page.getByLabel("Function").selectOption("g");
    assert.deepEqual((await posted("function")).at(-1), { type: "function", name: "g" });
  });

  await t.test("saves pictures that stand alone", async () => {
    await page.getByLabel("Save as SVG").click();
    await page.getByLabel("Save as PNG").click();
    const [svg, png] = await until("two pictures", async () => ((await posted("save")).length === 2 ? posted("save") : undefined));
    const text = Buffer.from(svg.base64, "base64").toString("utf8");
    assert.match(text, /^<svg [^]*xmlns="http:\/\/www.w3.org\/2000\/svg"[^]*rgb\(9, 105, 218\)[^]*%big[^]*<\/svg>$/);
    assert.ok(!/var\(|class=|https?:(?!\/\/www\.w3\.org)/.test(text));
    const bytes = Buffer.from(png.base64, "base64");
    assert.deepEqual([...bytes.subarray(1, 4)], [...Buffer.from("PNG")]);
    assert.ok(bytes.readUInt32BE(16) > 700);
  });

  assert.deepEqual(errors, []);
});
