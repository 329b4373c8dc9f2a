/** The extension's own settings. Those of the server are generated, and go to it as they are. */

import * as vscode from "vscode";
import { startSettings } from "./launch";

/** What the extension reads of the section `memlane`. */
export interface Settings {
  readonly lanes: boolean;
  readonly lanesMost: number;
  readonly ranges: boolean;
  readonly panelFollows: boolean;
  readonly server: readonly string[];
  readonly logLevel: string;
  /** What of the settings that a server is started with cannot be used, and why. */
  readonly problems: readonly string[];
  readonly statusBar: boolean;
}

/** The settings as they are now. */
export function settings(): Settings {
  const section = vscode.workspace.getConfiguration("memlane");
  return {
    lanes: section.get("lanes.enabled", true),
    lanesMost: section.get("lanes.most", 5),
    ranges: section.get("lanes.ranges", false),
    panelFollows: section.get("panel.followCursor", true),
    statusBar: section.get("statusBar", true),
    ...startSettings(section.get("server", []), section.get("logLevel", "warning")),
  };
}

/** Settings that the server is started with: a change of one means another server. */
export const START = ["memlane.interpreter", "memlane.server", "memlane.logLevel"];

/** Turn a setting of the user's round, and give its new value. Where the workspace sets it, it is turned there. */
export async function toggle(key: string): Promise<boolean> {
  const section = vscode.workspace.getConfiguration("memlane");
  const value = !section.get<boolean>(key, true);
  const where = section.inspect(key)?.workspaceValue;
  await section.update(key, value, where === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace);
  return value;
}
