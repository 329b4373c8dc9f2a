/** Logs of passes: what `memlane passes` says of each dump, and the text of one. */

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import * as vscode from "vscode";
import type { Cli } from "../cli";
import { detailOf, parsePasses, type Pass, pairOf } from "./passWords";

const HEADER = /^\s*\/\/ -----\/\/ IR Dump /;

/** The dumps of a log, measured. Rejects, with what the command line says, where there are none. */
export async function passesOf(cli: Cli, log: string): Promise<Pass[]> {
  const { out, error, code } = await cli.run(["passes", "--quiet", "--output-format", "json-lines", log]);
  const passes = parsePasses(out);
  if (passes.length === 0) throw new Error(error.trim() || `memlane passes ended with ${code} and said nothing`);
  return passes;
}

/** Let the user pick: two dumps, or one that is compared with the one before it. */
export async function choosePasses(passes: readonly Pass[]): Promise<readonly [Pass, Pass] | undefined> {
  const items = passes.map((pass) => ({ label: pass.title, description: pass.argument, detail: detailOf(pass), pass }));
  const picked = await vscode.window.showQuickPick(items, {
    title: "Pick one pass to compare with the one before it, or two passes",
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked || picked.length === 0) return undefined;
  return pairOf(passes, picked.map((item) => item.pass));
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
