/** The words of the status bar. */

import assert from "node:assert/strict";
import type { CursorAnswer } from "../../src/protocol";
import { statusText } from "../../src/statusText";
import { bytes } from "./samples";

const none = { errors: 0, warnings: 0, others: 0 };
const counts = { error: 0, warning: 0, information: 0, hint: 0 };
const cursor: CursorAnswer = {
  uri: "x",
  version: 1,
  function: { name: "f", peak: { ...bytes(64), step: 0, range: null, exact: true }, ideal: bytes(32), buffers: 2 },
  buffers: [],
  counts,
};

describe("the status bar", () => {
  it("tells findings, and to those who hover the peak of the function at the cursor", () => {
    const { text, tooltip, bad } = statusText("running", { errors: 1, warnings: 2, others: 0 }, cursor);
    assert.equal(text, "$(layers) 3 findings");
    assert.equal(tooltip, "Memlane: 1 error, 2 warnings in this file. Peak of @f: 64 B; ideal: 32 B. Click for its memory.");
    assert.equal(bad, false);
  });

  it("says so where all is well, and where the cursor is in no function", () => {
    assert.equal(statusText("running", none, { ...cursor, function: null }).text, "$(layers) Memlane");
    assert.match(statusText("running", none, undefined).tooltip, /no findings in this file/);
  });

  it("says that a file is measured until it has been", () => {
    const { text, tooltip } = statusText("running", none, undefined, true);
    assert.equal(text, "$(loading~spin) Memlane");
    assert.match(tooltip, /It is being measured/);
  });

  it("asks for attention where there is no Python or the server died", () => {
    assert.deepEqual((["starting", "stopped", "no-python", "failed"] as const).map((state) => statusText(state, none, cursor).bad), [false, false, true, true]);
  });
});
