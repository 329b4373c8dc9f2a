/** The commands that run the bundled server and command line. Pure: nothing here knows VS Code. */

import * as path from "node:path";

/** A command and its arguments. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where things are. */
export interface Places {
  /** The folder of the extension. */
  readonly extension: string;
  /** A folder of the extension's own that can be written: compiled Python files go there. */
  readonly storage: string;
}

/**
 * `memlane ARGS` with the packages in the VSIX and nothing else.
 *
 * `-I` and `-S` shut out PYTHONPATH, the working directory, the user's and the interpreter's own packages, so that
 * neither a workspace nor an environment can change what runs.
 */
export function bundled(python: string, places: Places, args: readonly string[]): Launch {
  const cache = `pycache_prefix=${path.join(places.storage, "pycache")}`;
  const launcher = path.join(places.extension, "bundled", "launch.py");
  return { command: python, args: ["-I", "-S", "-X", "utf8", "-X", cache, launcher, ...args] };
}

/** How much a server may log. */
const LEVELS: readonly unknown[] = ["debug", "info", "warning", "error"];

/** What servers are started with, of the settings as the user wrote them; `problems`: what of those cannot be used, and why. */
export function startSettings(server: unknown, logLevel: unknown): { server: readonly string[]; logLevel: string; problems: string[] } {
  const problems = [];
  const words = Array.isArray(server) && server.every((word): word is string => typeof word === "string") ? server : undefined;
  const level = LEVELS.includes(logLevel) ? String(logLevel) : undefined;
  if (!words) problems.push(`memlane.server is to be a list of words, such as ["memlane", "server"], and is ${JSON.stringify(server)}.`);
  if (!level) problems.push(`memlane.logLevel is to be one of ${LEVELS.join(", ")}, and is ${JSON.stringify(logLevel)}.`);
  return { server: words ?? [], logLevel: level ?? "warning", problems };
}

/** The server: `own`, a command that the user set in place of the bundled one, or that one. */
export function serverLaunch(
  python: string | undefined,
  places: Places,
  own: readonly string[],
  logLevel: string,
): Launch | undefined {
  const [command, ...args] = own;
  if (command) return { command, args };
  return python === undefined ? undefined : bundled(python, places, ["server", "--log-level", logLevel]);
}
