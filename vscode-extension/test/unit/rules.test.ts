/** The list of rules to pick from. */

import assert from "node:assert/strict";
import { choices } from "../../src/rules";

// As the command line prints it; tests/cli/test_cli_commands.py holds the keys.
const PRINTED = JSON.stringify([
  { rule: "double-free", severity: "error", summary: "a buffer is freed twice", unnecessary: false, url: "https://x.example/" },
  { rule: "leak", severity: "warning", summary: "a buffer is never freed", unnecessary: false, url: "https://x.example/" },
]);

describe("the list of rules", () => {
  it("shows their names, those found at the cursor first", () => {
    assert.deepEqual(choices(PRINTED, new Set()).map((one) => one.label), ["double-free", "leak"]);
    assert.deepEqual(choices(PRINTED, new Set(["leak"]))[0], { label: "leak", description: "warning", detail: "a buffer is never freed" });
  });
});
