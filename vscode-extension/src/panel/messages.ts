/** What the extension and the memory panel say to each other. Types only. */

import type { Move } from "../compare/moves";
import type { Pass } from "../compare/passWords";
import type { Picture } from "./picture";

/** One version of a function in a comparison. */
export interface Side {
  readonly title: string;
  /** Nothing where this version does not have the function. */
  readonly picture: Picture | null;
}

/** To the panel. */
export type ToPanel =
  | {
      readonly type: "show";
      readonly picture: Picture;
      /** The file's name, for people. */
      readonly file: string;
      /** The names of all functions of the file. */
      readonly functions: readonly string[];
      /** The blocks at the cursor. */
      readonly here: readonly number[];
      /** The numbers that the user gave for dimensions of this function. */
      readonly given: Readonly<Record<string, number>>;
      /** How often lanes were asked for: once more than before, they are shown from now on. */
      readonly lanes: number;
    }
  | { readonly type: "here"; readonly here: readonly number[] }
  | {
      readonly type: "compare";
      readonly before: Side;
      readonly after: Side;
      readonly moves: readonly Move[];
      readonly functions: readonly string[];
      readonly name: string;
    }
  | {
      readonly type: "passes";
      readonly file: string;
      readonly passes: readonly Pass[];
      /** Which of them are to be looked at first, in that order. */
      readonly culprits: readonly number[];
      readonly state: "reading" | "stopped" | "read";
    }
  | { readonly type: "nothing"; readonly why: string };

/** From the panel. Lines and characters count from 0. */
export type FromPanel =
  | { readonly type: "ready" }
  | { readonly type: "reveal"; readonly line: number; readonly character: number; readonly side?: "before" | "after" }
  /** Show a line of the source that a buffer comes from. */
  | { readonly type: "source"; readonly uri: string; readonly line: number; readonly character: number }
  | { readonly type: "function"; readonly name: string }
  | { readonly type: "assume"; readonly name: string; readonly value: number | null }
  /** Show the dump of a pass, at a line of the log. */
  | { readonly type: "dump"; readonly pass: number; readonly line: number }
  | { readonly type: "comparePasses"; readonly passes: readonly number[] }
  | { readonly type: "save"; readonly format: "svg" | "png"; readonly base64: string; readonly name: string };
