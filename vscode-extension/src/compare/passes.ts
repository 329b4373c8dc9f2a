/** Logs of passes: what `memlane passes` says of each dump, and the text of one. */

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type * as vscode from "vscode";
import type { Cli } from "../cli";
import { type Pass, passOf } from "./passWords";

const HEADER = /^\s*\/\/ -----\/\/ IR Dump /;

/**
 * The dumps of a log, measured; `take` gets each as it is known, but for those that show no function. Rejects, with what
 * the command line says, where there are none. What was read is given where `token` ends it.
 */
export async function passesOf(cli: Cli, log: string, token: vscode.CancellationToken, take: (pass: Pass) => void): Promise<void> {
  let count = 0;
  const { error, code } = await cli.follow(
    ["passes", "--quiet", "--output-format", "json-lines", log],
    (line) => {
      const pass = passOf(line);
      count += 1;
      if (pass.of || pass.failed) take(pass);
    },
    token,
  );
  if (count === 0 && !token.isCancellationRequested) throw new Error(error.trim() || `memlane passes ended with ${code} and said nothing`);
}

/** The text of the dump whose header stands in a line of a log, counted from 1. The log is read as a stream. */
export async function textOf(log: string, header: number): Promise<string> {
  const input = createReadStream(log, { encoding: "utf8" });
  const lines: string[] = [];
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      if (number <= header) continue;
      if (HEADER.test(line)) break;
      lines.push(line);
    }
  } finally {
    input.destroy();
  }
  return `${lines.join("\n")}\n`;
}
