/** Asks an interpreter for its version, by running it. */

import { execFile } from "node:child_process";
import { isSupported, OLDEST, parseVersion, VERSION_PROGRAM } from "./version";

/** An interpreter that the server runs on. */
export interface Interpreter {
  /** The command: a path, or a name that the system finds. */
  readonly path: string;
  readonly version: string;
  /** Who named it, in words: "the setting memlane.interpreter". */
  readonly source: string;
}

/** An interpreter that does not do, and why, in words. */
export interface Rejected {
  readonly path: string;
  readonly source: string;
  readonly why: string;
}

const PATIENCE_MS = 60_000;

/** The interpreter at `path` if the server runs on it, else why not. Never rejects. */
export function probe(path: string, source: string): Promise<Interpreter | Rejected> {
  return new Promise((resolve) => {
    execFile(path, ["-I", "-S", "-c", VERSION_PROGRAM], { timeout: PATIENCE_MS, windowsHide: true }, (error, stdout) => {
      const version = parseVersion(stdout);
      if (version && isSupported(version)) resolve({ path, source, version: version.join(".") });
      else if (version) resolve({ path, source, why: `it is Python ${version.join(".")}, older than ${OLDEST.join(".")}` });
      else resolve({ path, source, why: error ? firstLine(error.message) : "it does not answer as a Python does" });
    });
  });
}

/** Whether a probe found a Python that does. */
export function isUsable(found: Interpreter | Rejected): found is Interpreter {
  return "version" in found;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? text;
}
