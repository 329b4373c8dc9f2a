/** Who is told how far the server is. */

import assert from "node:assert/strict";
import { type Progress, ProgressSinks } from "../../src/progress";

describe("progress of the server", () => {
  it("goes to who wants it by its title, and else to the client, which hears of each end", () => {
    const sinks = new ProgressSinks();
    const [taken, left]: [string[], string[]] = [[], []];
    sinks.take("Checking", (message, percentage) => taken.push(`${message} ${percentage}`));
    const say = (token: string, progress: Progress): void => sinks.handle(token, progress, (to, { kind }) => left.push(`${to} ${kind}`));
    say("a", { kind: "begin", title: "Checking", percentage: 0 });
    say("b", { kind: "begin", title: "Measuring" });
    say("a", { kind: "report", message: "x.mlir", percentage: 50 });
    say("b", { kind: "report", message: "y.mlir" });
    say("a", { kind: "end" });
    say("b", { kind: "end" });
    say("a", { kind: "report", message: "late" });
    assert.deepEqual(taken, [" 0", "x.mlir 50"]);
    assert.deepEqual(left, ["b begin", "b report", "a end", "b end", "a report"]);
  });
});
