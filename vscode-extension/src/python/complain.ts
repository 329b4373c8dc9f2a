/** Says that there is no Python, with buttons that help. */

import * as vscode from "vscode";
import type { Rejected } from "./probe";
import { OLDEST } from "./version";

const CHOOSE = "Choose Python...";
const SETTINGS = "Open Settings";
const LOGS = "Show Logs";

/** Tell the user that no Python does. What was looked at is in the logs; a wrong setting is named at once. */
export async function complainNoPython(rejected: readonly Rejected[]): Promise<void> {
  const set = rejected.find((one) => one.source.startsWith("the setting"));
  const why = set ? ` The setting memlane.interpreter names ${set.path}: ${set.why}.` : "";
  const text = `Memlane needs Python ${OLDEST.join(".")} or newer, and found none.${why}`;
  const answer = await vscode.window.showErrorMessage(text, CHOOSE, SETTINGS, LOGS);
  if (answer === CHOOSE) await vscode.commands.executeCommand("memlane.selectInterpreter");
  if (answer === SETTINGS) await vscode.commands.executeCommand("workbench.action.openSettings", "memlane.interpreter");
  if (answer === LOGS) await vscode.commands.executeCommand("memlane.showLogs");
}

/** Let the user pick an interpreter, and keep it in the settings of this machine. */
export async function selectInterpreter(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("memlane");
  const picked = await vscode.window.showInputBox({
    title: "Python for Memlane",
    prompt: `Path of a Python ${OLDEST.join(".")} or newer; empty: look for one`,
    value: configuration.get<string>("interpreter", ""),
    ignoreFocusOut: true, // a path is copied from elsewhere
  });
  if (picked !== undefined) await configuration.update("interpreter", picked.trim(), vscode.ConfigurationTarget.Global);
}
