/** Finds a Python for the server: the setting, the Python extensions' choice, the PATH, in this order. */

import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { chosenEnvironments, type Named } from "./environments";
import { pythonsOnPath } from "./path";
import { type Interpreter, isUsable, probe, type Rejected } from "./probe";

/** What a search brought: an interpreter, or none; and what was looked at and did not do. */
export interface Found {
  readonly interpreter?: Interpreter;
  readonly rejected: readonly Rejected[];
}

/**
 * The interpreter to run the server with.
 *
 * In a workspace that is not trusted the extensions are not asked: their choice may lie in the workspace. VS Code
 * itself leaves out the workspace's value of the setting then (`restrictedConfigurations` in package.json).
 */
export async function findPython(log: (text: string) => void): Promise<Found> {
  const rejected: Rejected[] = [];
  for await (const named of candidates(log)) {
    const found = await probe(named.path, named.source);
    if (isUsable(found)) return { interpreter: found, rejected };
    log(`not ${found.path}, from ${found.source}: ${found.why}`);
    rejected.push(found);
  }
  return { rejected };
}

async function* candidates(log: (text: string) => void): AsyncGenerator<Named> {
  const set = vscode.workspace.getConfiguration("memlane").get<string>("interpreter", "").trim();
  if (set) yield { path: set, source: "the setting memlane.interpreter" };
  const folders = vscode.workspace.workspaceFolders ?? [];
  const trusted = vscode.workspace.isTrusted;
  if (trusted) yield* await chosenEnvironments(folders[0]?.uri, log);
  const onPath = pythonsOnPath({
    platform: process.platform,
    path: process.env["PATH"] ?? "",
    folders: folders.filter((folder) => folder.uri.scheme === "file").map((folder) => folder.uri.fsPath),
    trusted,
    exists: existsSync,
  });
  for (const path of onPath) yield { path, source: "the PATH" };
}
