/** From steps to what is drawn beside each line. */

import assert from "node:assert/strict";
import { ALL, cells, fitting, liveLines } from "../../src/lanes/cells";
import { icon, keyOf, type Palette } from "../../src/lanes/icon";
import { palette } from "../../src/lanes/palette";
import { lanes, segment } from "./samples";

/** What one buffer shows, by line: u(sed) h(eld) l(eaked), capital where it starts, | where it is freed. */
function drawn(of: ReturnType<typeof lanes>, index = 0): string {
  const [one] = cells(of, [of.buffers[index]].flatMap((buffer) => (buffer ? [buffer] : [])), ALL);
  const names = { "in-use": "u", held: "h", leaked: "l", "handed-over": "o" };
  let text = "";
  for (let line = 0; line <= of.range.end.line; line++) {
    const cell = one?.cells.get(line);
    const name = cell ? names[cell.state] : ".";
    text += cell?.first ? name.toUpperCase() : name;
    if (cell?.freed) text += "|";
  }
  return text;
}

describe("lanes beside the code", () => {
  it("show a buffer in use from its line to its last use, held after it, freed at the end", () => {
    const of = lanes([2, 4, 8], [{ name: "%a", line: 2, segments: [segment(0, 2, "in-use"), segment(2, 2, "held")], frees: [2] }]);
    assert.equal(drawn(of), "..Uuuhhhh|..");
  });

  it("show a free right after the last use without a held line between", () => {
    const of = lanes([2, 4, 5], [{ name: "%a", line: 2, segments: [segment(0, 2, "in-use")], frees: [2] }]);
    assert.equal(drawn(of), "..Uuuu|..");
  });

  it("show a leak down to the end of the function", () => {
    const of = lanes([2, 4, 6], [{ name: "%a", line: 2, segments: [segment(0, 2, "in-use"), segment(2, 3, "leaked")], leak: "always" }]);
    assert.equal(drawn(of), "..Uuulll.");
  });

  it("end a lane inside a region where the next operation stands after it", () => {
    const of = lanes([2, 3, 4, 9], [{ name: "%a", line: 3, segments: [segment(1, 2, "in-use"), segment(2, 3, "leaked")], leak: "some" }]);
    assert.equal(drawn(of), "...Ulllll...".slice(0, 12));
  });

  const names = (places: ReturnType<typeof fitting>): string[] => places.map((place) => place.map((one) => one.name).join("+"));

  it("leave out the smallest where not all fit; an unbounded size is the largest", () => {
    const one = (name: string, bytes: number | null) => ({ name, line: 2, bytes, segments: [segment(0, 1, "in-use" as const)] });
    const of = lanes([2], [one("%small", 1), one("%large", 9), one("%endless", null), one("%middle", 5)]);
    assert.deepEqual(names(fitting(of, 2, ALL)), ["%endless", "%large"]);
    assert.deepEqual(names(fitting(of, 9, ALL)), ["%endless", "%large", "%middle", "%small"]);
    assert.deepEqual(names(fitting(of, 2, ALL, of.buffers.slice(0, 1))), ["%small", "%endless"]);
  });

  it("share a place where they do not live in the same lines, and keep it", () => {
    const one = (name: string, line: number, start: number, end: number, bytes: number) => ({ name, line, bytes, segments: [segment(start, end, "in-use" as const)] });
    const of = lanes([2, 4, 6, 8], [one("%a", 2, 0, 2, 9), one("%b", 6, 2, 4, 8), one("%c", 4, 1, 3, 7)]);
    assert.deepEqual(names(fitting(of, 3, ALL)), ["%a+%b", "%c"]);
    const before = [[], of.buffers.slice(1, 2), of.buffers.slice(0, 1)];
    assert.deepEqual(names(fitting(of, 3, ALL, [], before)), ["%c", "%b", "%a"]);
  });

  it("are those of buffers in sight, in lines in sight", () => {
    const one = (name: string, line: number, start: number) => ({ name, line, segments: [segment(start, start + 1, "in-use" as const)] });
    const of = lanes([2, 10, 50], [one("%a", 2, 0), one("%b", 10, 1), one("%c", 50, 2)]);
    assert.deepEqual(names(fitting(of, 9, { from: 8, to: 20 })), ["%b"]);
    const long = lanes([2, 900], [{ name: "%a", line: 2, segments: [segment(0, 2, "in-use")], frees: [1] }]);
    assert.deepEqual([...(cells(long, long.buffers, { from: 5, to: 7 })[0]?.cells.keys() ?? [])], [5, 6, 7]);
  });

  it("reach to the deallocation through the lines of the operation before it", () => {
    const of = lanes([2, 4, 9], [{ name: "%a", line: 2, segments: [segment(0, 2, "in-use")], frees: [2] }]);
    assert.equal(drawn(of), "..Uuuuuuuu|..");
  });
});

describe("the lines where buffers live", () => {
  const of = lanes([2, 4, 6], [
    { name: "%a", line: 2, segments: [segment(0, 2, "in-use"), segment(2, 3, "held", "some")], frees: [2] },
    { name: "%b", line: 6, segments: [segment(2, 3, "in-use")] },
  ]);

  it("are certain or possible", () => {
    assert.deepEqual(liveLines(of, of.buffers.slice(0, 1), true, ALL), { definite: [[2, 4]], possible: [[5, 7]] });
  });

  it("are all possible where the name may stand for several", () => {
    assert.deepEqual(liveLines(of, of.buffers, false, ALL), { definite: [], possible: [[2, 7]] });
  });
});

describe("the picture of a line", () => {
  const colours: Palette = { used: "#0000ff", held: "#ffaa00", lost: "#ff0000", freed: "#ffffff" };
  const cell = { state: "in-use" as const, some: false, first: false, freed: false };

  it("differs by shape, not by colour alone", () => {
    const grey: Palette = { used: "#888", held: "#888", lost: "#888", freed: "#888" };
    const states = ["in-use", "held", "leaked", "handed-over"] as const;
    const pictures = states.map((state) => icon([{ cell: { ...cell, state }, dim: false }], grey));
    assert.equal(new Set(pictures).size, states.length);
  });

  it("has a key that differs wherever the picture does", () => {
    const keys = new Map<string, string>();
    for (const state of ["in-use", "held", "leaked", "handed-over"] as const)
      for (const some of [false, true])
        for (const first of [false, true])
          for (const freed of [false, true])
            for (const dim of [false, true]) {
              const row = [{ cell: { state, some, first, freed }, dim }, { cell: undefined, dim: false }];
              const drawing = icon(row, colours);
              assert.ok(!keys.has(keyOf(row)), keyOf(row));
              keys.set(keyOf(row), drawing);
            }
    assert.equal(keys.size, 64);
  });

  it("leaves out lanes that are not there, and dims those of other buffers", () => {
    assert.ok(!icon([{ cell: undefined, dim: false }], colours).includes("<rect"));
    assert.match(icon([{ cell, dim: true }], colours), /opacity="0\.28"/);
  });
});

describe("the colours of lanes", () => {
  const declared = ["laneUsed", "laneHeld", "laneLost", "laneFreed"].map((name, index) => ({
    id: `memlane.${name}`,
    defaults: { dark: `#d${index}0000`, light: `#a${index}0000`, highContrast: "#fff", highContrastLight: "#000" },
  }));

  it("are those of the kind of theme", () => {
    assert.equal(palette(declared, "dark", {}, "X").held, "#d10000");
    assert.equal(palette(declared, "light", {}, "X").held, "#a10000");
  });

  it("are the user's where there are some, those for the theme first", () => {
    const customized = { "memlane.laneUsed": "#111111", "[Sol*]": { "memlane.laneUsed": "#222222" } };
    assert.equal(palette(declared, "dark", customized, "Monokai").used, "#111111");
    assert.equal(palette(declared, "dark", customized, "Solarized").used, "#222222");
  });

  it("never take over what is no colour", () => {
    const customized = { "memlane.laneUsed": '"/><script>', "memlane.laneLost": 7 };
    assert.equal(palette(declared, "dark", customized, "X").used, "#d00000");
    assert.equal(palette(declared, "dark", customized, "X").lost, "#d20000");
  });
});
