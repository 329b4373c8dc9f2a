/** What the memory panel draws, before it is drawn. */

import assert from "node:assert/strict";
import { escaped, page } from "../../src/panel/html";
import { blocksAt, MOST_BLOCKS, picture } from "../../src/panel/picture";
import { extent, kindOf, layout, passing, ticks, words } from "../../webview/geometry";
import { Scale, wantedHeight } from "../../webview/scale";
import { bytes, lanes, segment, type Wanted } from "./samples";

const alive = (name: string, start: number, end: number, bytes?: number | null, more: Partial<Wanted> = {}): Wanted => ({
  name,
  line: start,
  ...(bytes === undefined ? {} : { bytes }),
  segments: [segment(start, end, "in-use")],
  ...more,
});

describe("the page of the panel", () => {
  const parts = { source: "https://x.example", script: "s.js?a=1&b=2", style: "p.css", nonce: 'n"><script>alert(1)</script>' };

  it("escapes what goes into it", () => {
    assert.equal(escaped(`<img src="x" onerror='y'>&`), "&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt;&amp;");
    const html = page(parts);
    assert.ok(!html.includes("<script>alert"));
    assert.ok(html.includes("s.js?a=1&amp;b=2"));
  });

  it("allows its own script and style and nothing else", () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page({ ...parts, nonce: "abc" }))?.[1] ?? "";
    assert.equal(policy, "default-src &#39;none&#39;; style-src https://x.example; script-src &#39;nonce-abc&#39;; img-src data:");
  });
});

describe("the picture", () => {
  it("keeps what is drawn of each buffer, and finds those at places", () => {
    const shown = picture(lanes([1, 2, 3], [alive("%a", 1, 2), alive("%b", 2, 3, 5, { frees: [2], late: 4 })]));
    assert.deepEqual(shown.blocks.map((block) => [block.name, block.bytes, block.line, block.late]), [["%a", 16, 1, 0], ["%b", 5, 2, 4]]);
    assert.deepEqual(blocksAt(shown, [{ line: 2, character: 2 }, { line: 2, character: 3 }]), [1]);
    assert.equal(shown.dropped, 0);
  });

  it("leaves out the smallest of very many, and says how many", () => {
    const many = Array.from({ length: MOST_BLOCKS + 7 }, (_, index) => alive(`%${index}`, 1, 2, index));
    const shown = picture(lanes([1, 2], many));
    assert.equal(shown.dropped, 7);
    assert.equal(shown.blocks[0]?.name, "%7");
  });
});

describe("the layout in bytes", () => {
  it("gives buffers that live together different places, and reuses what is free", () => {
    const shown = picture(lanes([0, 1, 2, 3], [alive("%a", 0, 2, 10), alive("%b", 1, 4, 20), alive("%c", 2, 4, 10)]));
    const { placed } = layout(shown, "bytes", [0, 1, 2]);
    assert.deepEqual(placed.map((one) => [one.low, one.high]), [[0, 10], [10, 30], [0, 10]]);
  });

  it("never lets two blocks overlap", () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    for (let round = 0; round < 200; round++) {
      const wanted = Array.from({ length: 12 }, (_, index) => {
        const start = random(20);
        return alive(`%${index}`, start, start + 1 + random(8), random(6) === 0 ? null : random(50));
      });
      const shown = picture(lanes(Array.from({ length: 30 }, (_, line) => line), wanted));
      const { placed, top } = layout(shown, "bytes", shown.blocks.map((_, index) => index));
      for (const a of placed) {
        assert.ok(a.high <= top);
        for (const b of placed) {
          if (a === b) continue;
          assert.ok(a.end <= b.start || b.end <= a.start || a.high <= b.low || b.high <= a.low, JSON.stringify([a, b]));
        }
      }
    }
  });

  it("has what calls take on the blocks, and reaches the peak, not more", () => {
    const of = lanes([0, 1, 2], [alive("%a", 0, 2, 70)]);
    const steps = of.steps.map((step, index) => (index === 1 ? { ...step, live: bytes(130), inside: { ...bytes(30), callees: ["g", "h"] } } : step));
    const shown = picture({ ...of, steps });
    assert.deepEqual(shown.calls, [{ column: 1, label: "@g or 1 more 30 B", bytes: 30 }]);
    const { calls, top } = layout(shown, "bytes", [0]);
    assert.deepEqual(calls.map((one) => [one.start, one.end, one.low, one.high]), [[1, 2, 70, 100]]);
    assert.deepEqual([top, shown.live[1], shown.peak.bytes], [100, 100, 100]);
  });

  it("takes another order where the order of allocation leaves gaps above the peak", () => {
    // First fit by start puts %c on top of %b although %a is gone.
    const shown = picture(lanes([0, 1, 2, 3, 4], [alive("%a", 0, 2, 40), alive("%b", 1, 5, 40), alive("%c", 2, 5, 60)]));
    assert.equal(layout(shown, "bytes", [0, 1, 2]).top, 100);
  });

  it("reaches as high as what it is compared with", () => {
    const shown = { ...picture(lanes([0, 1], [alive("%a", 0, 1, 10)])), scale: 5000 };
    assert.equal(layout(shown, "bytes", [0]).top, 5000);
  });
});

describe("the layout in lanes", () => {
  it("gives the first buffer the top row, and leaves out rows that are filtered away", () => {
    const shown = picture(lanes([0, 1, 2], [alive("%a", 0, 1), alive("%b", 1, 2), alive("%c", 1, 3)]));
    const { placed, top } = layout(shown, "lanes", [0, 2]);
    assert.deepEqual(placed.map((one) => [one.index, one.low]), [[0, 1], [2, 0]]);
    assert.equal(top, 2);
    assert.ok(wantedHeight(shown, { mode: "lanes", placed, calls: [], top: 100 }, 200) > 1500);
    assert.equal(wantedHeight(shown, { mode: "bytes", placed, calls: [], top: 100 }, 200), 200);
  });

  it("keeps a block that frees where it starts at least one column wide", () => {
    const [block] = picture(lanes([3], [alive("%a", 0, 0, 1, { frees: [0] })])).blocks;
    assert.ok(block);
    assert.deepEqual(extent(block), [0, 1]);
  });
});

describe("the scale", () => {
  it("maps the first column to the left edge and all bytes into the plot", () => {
    const shown = picture(lanes([0, 1, 2, 3], [alive("%a", 0, 2, 100)]));
    for (const mode of ["bytes", "lanes"] as const) {
      const plan = layout(shown, mode, [0]);
      const scale = new Scale(shown, plan, { width: 500, height: 300 });
      assert.equal(scale.x(0), scale.left);
      assert.equal(scale.x(4), scale.right);
      const [top, bottom] = scale.span(plan.placed[0] ?? assert.fail());
      assert.ok(0 < top && top < bottom && bottom <= scale.bottom, `${mode}: ${top} ${bottom}`);
      assert.ok(scale.axis.y(0) === scale.bottom && scale.axis.y(scale.axis.top) > 0);
    }
  });
});

describe("numbers on the axis", () => {
  it("are round, few, and in the words of the command line", () => {
    assert.deepEqual(ticks(1536 * 1024, 4).map((bytes) => words(bytes)), ["512 KiB", "1 MiB", "1.5 MiB"]);
    assert.equal(words(512 * 1024, 1536 * 1024), "0.5 MiB");
    assert.equal(words(1310720), "1.25 MiB");
    assert.equal(words(1048575), "1 MiB");
    assert.deepEqual(ticks(3, 4).map((bytes) => words(bytes)), ["1 B", "2 B", "3 B"]);
    assert.equal(words(278010004096), "258.92 GiB");
  });
});

describe("filters", () => {
  const shown = picture(
    lanes([0], [alive("%a", 0, 1, 10), alive("%Big", 0, 1, 5000), alive("%u", 0, 1, null), alive("%g", 0, 1, 10, { resource: "gpu", space: "#gpu.x" })]),
  );
  const names = (filter: Partial<Parameters<typeof passing>[1]>): string[] =>
    passing(shown, { name: "", least: 0, kind: "", ...filter }).map((index) => shown.blocks[index]?.name ?? "");

  it("let through by size, name and kind of memory; a size that is not known is never too small", () => {
    assert.deepEqual(names({ least: 1024 }), ["%Big", "%u"]);
    assert.deepEqual(names({ name: "bi" }), ["%Big"]);
    assert.deepEqual(names({ kind: "gpu, #gpu.x" }), ["%g"]);
    assert.deepEqual(shown.blocks.map(kindOf), ["heap", "heap", "heap", "gpu, #gpu.x"]);
  });
});
