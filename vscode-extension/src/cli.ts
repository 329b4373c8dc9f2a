/** Runs the command line that is in the extension. */

import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { CancellationToken } from "vscode";
import { bundled, type Launch, type Places } from "./launch";
import { isUsable } from "./python/probe";
import { findPython } from "./python/find";
import type { Server } from "./client";

/** What a run printed; `code` as the command line's reference has it. */
export interface Printed {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

const MOST_OUTPUT = 256 * 1024 * 1024;

/** Runs `memlane ARGS`, with `input` on stdin. Rejects where there is no Python, and where it does not start. */
export class Cli {
  constructor(
    private readonly server: Server,
    private readonly places: Places,
  ) {}

  /** Run once; output is UTF-8 without colours. */
  async run(args: readonly string[], input = "", cwd?: string): Promise<Printed> {
    const launch = await this.launch(args);
    const options = { cwd, maxBuffer: MOST_OUTPUT, windowsHide: true, env: environment() };
    return new Promise((resolve, reject) => {
      const child = execFile(launch.command, [...launch.args], options, (error, out, text) => {
        if (error && typeof error.code !== "number") reject(error);
        else resolve({ code: typeof error?.code === "number" ? error.code : 0, out, error: text });
      });
      child.stdin?.on("error", () => undefined); // it ended before it had read all: what it printed tells why
      child.stdin?.end(input);
    });
  }

  /** Run, and take each line as it is printed. `token` ends the run; its exit code is then -1. */
  async follow(
    args: readonly string[],
    take: (line: string) => void,
    token: CancellationToken,
    cwd?: string,
  ): Promise<Omit<Printed, "out">> {
    const launch = await this.launch(args);
    if (token.isCancellationRequested) return { code: -1, error: "" };
    const child = spawn(launch.command, [...launch.args], { cwd, windowsHide: true, env: environment(), stdio: ["ignore", "pipe", "pipe"] });
    const stopping = token.onCancellationRequested(() => child.kill());
    let error = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (error += text));
    const lines = createInterface({ input: child.stdout.setEncoding("utf8"), crlfDelay: Number.POSITIVE_INFINITY });
    lines.on("line", (line) => token.isCancellationRequested || take(line));
    const read = new Promise<void>((resolve) => lines.once("close", resolve));
    try {
      const code = await new Promise<number>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (ended) => resolve(ended ?? -1));
      });
      await read;
      return { code: token.isCancellationRequested ? -1 : code, error };
    } finally {
      stopping.dispose();
    }
  }

  /** How it is started on the Python that the server runs on, or would. */
  private async launch(args: readonly string[]): Promise<Launch> {
    const known = this.server.found.interpreter ?? (await findPython(() => undefined)).interpreter;
    if (!known || !isUsable(known)) throw new Error("no Python was found to run Memlane with");
    return bundled(known.path, this.places, args);
  }
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, NO_COLOR: "1" };
}
