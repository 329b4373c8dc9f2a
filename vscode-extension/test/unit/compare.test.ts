/** What changed between two versions. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { moves } from "../../src/compare/moves";
import { textOf } from "../../src/compare/passes";
import { culprits, pairOf, passOf } from "../../src/compare/passWords";
import { picture } from "../../src/panel/picture";
import { lanes, segment, type Wanted } from "./samples";

const version = (...wanted: Partial<Wanted>[]): ReturnType<typeof picture> =>
  picture(lanes([0, 1, 2], wanted.map((one) => ({ name: "%a", line: 0, segments: [segment(0, 1, "in-use")], frees: [1], ...one }))));

describe("what moved", () => {
  const said = (...versions: [ReturnType<typeof picture>, ReturnType<typeof picture>]): string[] =>
    moves(...versions).map((move) => `${move.name} ${move.kind}`);

  it("is nothing between a version and itself", () => {
    assert.deepEqual(said(version({}, { name: "%b" }), version({}, { name: "%b" })), []);
  });

  it("names what is new, gone, larger and smaller", () => {
    const before = version({}, { name: "%b", bytes: 8 }, { name: "%gone" });
    const after = version({ bytes: 4 }, { name: "%b", bytes: null }, { name: "%new" });
    assert.deepEqual(said(before, after), ["%a smaller", "%b larger", "%new new", "%gone gone"]);
  });

  it("puts leaks first", () => {
    const before = version({ bytes: 1 }, { name: "%b" }, { name: "%c", frees: [], leak: "always" });
    const after = version({ bytes: 2 }, { name: "%b", frees: [], leak: "always" }, { name: "%c" });
    assert.deepEqual(said(before, after), ["%b leaks", "%a larger", "%c freed"]);
  });

  it("tells who is held longer", () => {
    assert.deepEqual(said(version({ late: 1 }), version({ late: 5 })), ["%a longer"]);
    assert.deepEqual(said(version({ late: 5 }), version({})), ["%a shorter"]);
  });

  it("pairs values that a pass numbered anew, in order", () => {
    assert.deepEqual(said(version({ name: "%alloc" }, { name: "%1", bytes: 7 }), version({ name: "%0" }, { name: "%2", bytes: 7 })), []);
  });

  it("is all of a version where the other lacks the function", () => {
    assert.deepEqual(moves(null, version({})).map((move) => move.kind), ["new"]);
    assert.deepEqual(moves(version({}), null).map((move) => move.kind), ["gone"]);
  });
});

describe("a log of passes", () => {
  const row = { pass: "After CSE", argument: "cse", failed: false, filename: null, row: 3, peak_row: 5, read_bytes: 9, of: "@f", peak_bytes: 64, peak_expr: null, ideal_peak_bytes: 32, ideal_peak_expr: null, exact: true, sites: 2, leaks: 1, late: 0, grown: [], new: null, gone: {} };
  const leak = (name: string, at: number, count = 1): object => ({ finding: "@f leak: %_", count, row: at, first: `@${name} leak: buffer %a is never freed` });
  const out = [
    { ...row, new: [leak("f", 9, 2), leak("g", 7), { ...leak("f", 8), first: "@f late-free: %b is held" }] },
    { ...row, pass: "After X", row: 10, peak_bytes: null, peak_expr: "4*%n", exact: false, gone: { a: 2, b: 1 } },
    { ...row, pass: "After Y", row: 20, grown: [{ function: "f", before: 64, after: 1024 }] },
  ];
  const passes = out.map((one) => passOf(JSON.stringify(one)));
  const [a, b, c] = passes;

  it("has findings that are alike as one, with the first of them", () => {
    assert.deepEqual(a?.introduced, [
      { rule: "leak", count: 3, says: "@g: buffer %a is never freed", line: 7 },
      { rule: "late-free", count: 1, says: "@f: %b is held", line: 8 },
    ]);
    assert.deepEqual([a?.title, b?.peak, b?.gone, c?.grown], ["CSE", "≤ 4*%n", 3, ["@f grows from 64 B to 1 KiB"]]);
  });

  it("has those first that made a peak grow, then those that introduced something", () => {
    assert.deepEqual(culprits(passes), [c, a]);
  });

  it("gives two dumps: those picked, in the log's order, or one and that before it", () => {
    assert.ok(a && b && c);
    assert.deepEqual(pairOf(passes, [c, a]), [a, c]);
    assert.deepEqual(pairOf(passes, [c]), [b, c]);
    assert.deepEqual(pairOf(passes, [a]), [a, b]);
    assert.equal(pairOf([a], [a]), undefined);
    assert.equal(pairOf(passes, []), undefined);
  });

  it("gives the text of a dump: from its header to the next", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "memlane-log-"));
    const log = path.join(folder, "log");
    writeFileSync(log, "x\n// -----// IR Dump After A //----- //\nfirst\n\nline\n// -----// IR Dump After B //----- //\nsecond");
    assert.equal(await textOf(log, 2), "first\n\nline\n");
    assert.equal(await textOf(log, 6), "second\n");
    rmSync(folder, { recursive: true });
  });
});
