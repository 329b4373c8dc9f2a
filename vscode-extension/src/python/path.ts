/** Interpreters on the PATH. Pure but for the question whether a file is there, which the caller answers. */

import * as path from "node:path";

/** What the search depends on. */
export interface PathSearch {
  readonly platform: NodeJS.Platform;
  /** The value of PATH. */
  readonly path: string;
  /** Absolute directories of the workspace: what lies in them is not run where `trusted` is false. */
  readonly folders: readonly string[];
  readonly trusted: boolean;
  /** Whether a file is there. */
  readonly exists: (file: string) => boolean;
}

/**
 * The Pythons on the PATH, first those that `python3` would find.
 *
 * Relative entries of the PATH never count: they mean whatever the workspace put there.
 */
export function pythonsOnPath(search: PathSearch): string[] {
  const flavour = search.platform === "win32" ? path.win32 : path.posix;
  const directories = search.path
    .split(flavour.delimiter)
    .filter((directory) => flavour.isAbsolute(directory))
    .filter((directory) => search.trusted || !search.folders.some((folder) => isInside(folder, directory, flavour)));
  const found: string[] = [];
  for (const name of names(search.platform)) {
    for (const directory of directories) {
      const file = flavour.join(directory, name);
      if (!found.includes(file) && search.exists(file)) found.push(file);
    }
  }
  return found;
}

function names(platform: NodeJS.Platform): string[] {
  if (platform === "win32") return ["py.exe", "python3.exe", "python.exe"];
  const minors = [14, 13, 12, 11, 10].map((minor) => `python3.${minor}`);
  return ["python3", "python", ...minors];
}

function isInside(folder: string, directory: string, flavour: path.PlatformPath): boolean {
  const relative = flavour.relative(folder, directory);
  return relative === "" || (!relative.startsWith("..") && !flavour.isAbsolute(relative));
}
