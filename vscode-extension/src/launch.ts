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
