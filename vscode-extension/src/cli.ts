/** Runs the command line that is in the extension. */

import { execFile } from "node:child_process";
import { bundled, type Places } from "./launch";
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

  /** The Python that the server runs on, or would. */
  async python(): Promise<string> {
    const known = this.server.found.interpreter ?? (await findPython(() => undefined)).interpreter;
    if (!known || !isUsable(known)) throw new Error("no Python was found to run Memlane with");
    return known.path;
  }

  /** Run once; output is UTF-8 without colours. */
  async run(args: readonly string[], input = "", cwd?: string): Promise<Printed> {
    const launch = bundled(await this.python(), this.places, args);
    const options = { cwd, maxBuffer: MOST_OUTPUT, windowsHide: true, env: { ...process.env, NO_COLOR: "1" } };
    return new Promise((resolve, reject) => {
      const child = execFile(launch.command, [...launch.args], options, (error, out, text) => {
        if (error && typeof error.code !== "number") reject(error);
        else resolve({ code: typeof error?.code === "number" ? error.code : 0, out, error: text });
      });
      child.stdin?.on("error", () => undefined); // it ended before it had read all: what it printed tells why
      child.stdin?.end(input);
    });
  }
}
