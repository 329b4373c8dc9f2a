/** Which Pythons the server runs on. Pure: nothing here knows VS Code. */

/** The oldest Python that the server runs on, as `[major, minor]`. */
export const OLDEST = [3, 10] as const;

/** The program that asks an interpreter for its version: works on every Python there ever was. */
export const VERSION_PROGRAM = "import sys; sys.stdout.write('%d.%d.%d' % sys.version_info[:3])";

/** The numbers in what `VERSION_PROGRAM` printed, or nothing where that is no version. */
export function parseVersion(output: string): readonly [number, number, number] | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)\s*$/.exec(output);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

/** Whether the server runs on a Python of this version. */
export function isSupported(version: readonly number[]): boolean {
  const [major = 0, minor = 0] = version;
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
