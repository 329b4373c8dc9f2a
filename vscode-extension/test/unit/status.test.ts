/** The words of the status bar. */

import assert from "node:assert/strict";
import { type Ask, Focus, type View } from "../../src/focus";
import type { CursorAnswer } from "../../src/protocol";
import { statusText } from "../../src/statusText";
import { bytes } from "./samples";
import { stub } from "./stub";

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
  it("tells findings, and not the peak, which the lens says", () => {
    const { text, tooltip, bad } = statusText("running", { errors: 1, warnings: 2, others: 0 }, cursor);
    assert.equal(text, "$(layers) 3 findings");
    assert.equal(tooltip, "Memlane: 1 error, 2 warnings in this file. Click for the memory of @f.");
    assert.equal(bad, false);
  });

  it("says so where all is well, and where the cursor is in no function", () => {
    assert.equal(statusText("running", none, { ...cursor, function: null }).text, "$(layers) Memlane");
    assert.match(statusText("running", none, undefined).tooltip, /no findings in this file/);
  });

  it("says that a file is measured until it has been", () => {
    const { text, tooltip } = statusText("running", none, undefined, true);
    assert.equal(text, "$(loading~spin) Memlane: measuring");
    assert.equal(tooltip, "Memlane: this file is being measured.");
  });

  it("asks for attention where there is no Python or the server died", () => {
    assert.deepEqual((["starting", "stopped", "no-python", "failed"] as const).map((state) => statusText(state, none, cursor).bad), [false, false, true, true]);
  });
});

describe("what the user looks at", () => {
  it("is no longer measured where the first question about it fails", async () => {
    stub.reset();
    const document = { languageId: "mlir", version: 1, uri: "file:///a.mlir" };
    stub.editor = { document, selection: { active: { line: 0, character: 0 } } };
    const ask: Ask = () => Promise.reject(new Error("broken"));
    const failures: string[] = [];
    const focus = new Focus(ask, (text) => failures.push(text));
    const shown = new Promise<View | undefined>((resolve) => focus.onView(resolve));
    focus.refresh();
    assert.deepEqual([(await shown)?.editor.document, (await shown)?.lanes], [document, undefined]);
    assert.deepEqual(failures, ["Error: broken"]);
    focus.dispose();
  });
});
