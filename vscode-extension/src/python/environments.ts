/** What the Python extensions know, if one is there: neither is needed, and neither is started unless it is installed. */

import * as vscode from "vscode";

/** The part of `ms-python.vscode-python-envs` that is used: the environment chosen for a folder. */
interface EnvironmentsApi {
  getEnvironment(scope: vscode.Uri | undefined): Promise<{ execInfo?: { run?: { executable?: string } } } | undefined>;
}

/** The part of `ms-python.python` that is used: the same, in its older form. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

/** An interpreter as an extension names it. */
export interface Named {
  readonly path: string;
  readonly source: string;
}

/** The interpreters that the Python extensions chose for a folder, the newer extension's first. */
export async function chosenEnvironments(folder: vscode.Uri | undefined, log: (text: string) => void): Promise<Named[]> {
  const found: Named[] = [];
  for (const ask of [fromEnvironments, fromPython]) {
    try {
      const named = await ask(folder);
      if (named) found.push(named);
    } catch (error) {
      // Their failure is no reason not to look further, but one to know.
      log(`a Python extension did not answer: ${String(error)}`);
    }
  }
  return found;
}

async function fromEnvironments(folder: vscode.Uri | undefined): Promise<Named | undefined> {
  const extension = vscode.extensions.getExtension<EnvironmentsApi>("ms-python.vscode-python-envs");
  const environment = await (await extension?.activate())?.getEnvironment(folder);
  const path = environment?.execInfo?.run?.executable;
  return path ? { path, source: "the Python Environments extension" } : undefined;
}

async function fromPython(folder: vscode.Uri | undefined): Promise<Named | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  const environments = (await extension?.activate())?.environments;
  if (!environments) return undefined;
  const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
  const path = resolved?.executable.uri?.fsPath;
  return path ? { path, source: "the Python extension" } : undefined;
}
