/** Numbers for dimensions that the text leaves open, as the user gave them in the panel: a setting of the workspace. */

import * as vscode from "vscode";

const KEY = "assume.sizes";

/** The numbers given for dimensions of a function, by name: those for it alone, else those for all. */
export function given(name: string, unknowns: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [key, value] of Object.entries(all())) {
    const [, own] = key.split(`@${name} `);
    if (key.startsWith("%") && unknowns.includes(key)) found[key] ??= value;
    if (key.startsWith(`@${name} `) && own) found[own] = value;
  }
  return found;
}

let changing: Promise<void> = Promise.resolve();

/** Remember a number for a dimension of a function; nothing: forget it. Calls are worked off one after the other. */
export function assume(name: string, dimension: string, value: number | null): Promise<void> {
  const changed = changing.then(() => change(name, dimension, value));
  changing = changed.catch(() => undefined);
  return changed;
}

async function change(name: string, dimension: string, value: number | null): Promise<void> {
  const { [`@${name} ${dimension}`]: _, ...others } = all();
  const next = value === null ? others : { ...others, [`@${name} ${dimension}`]: value };
  const target = vscode.workspace.workspaceFolders ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await section().update(KEY, Object.keys(next).length > 0 ? next : undefined, target);
}

function all(): Record<string, number> {
  return section().get<Record<string, number> | null>(KEY) ?? {};
}

function section(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("memlane.check");
}
