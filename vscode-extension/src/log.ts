/** The log, and its newest lines: what a report may have in it, wherever the editor keeps the rest. */

import * as vscode from "vscode";

const MOST_LINES = 500;
const LEVELS = { trace: 1, debug: 2, info: 3, warn: 4, error: 5, append: 3, appendLine: 3 } as const; // as `vscode.LogLevel` counts

/** A channel that remembers. */
export interface Log {
  readonly channel: vscode.LogOutputChannel;
  /** The newest lines that its level let through, oldest first. */
  readonly lines: readonly string[];
}

/** Open the log. */
export function openLog(name: string): Log {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  const lines: string[] = [];
  const note = (kind: keyof typeof LEVELS, said: readonly unknown[]): void => {
    if (channel.logLevel === vscode.LogLevel.Off || LEVELS[kind] < channel.logLevel) return;
    lines.push(...`${new Date().toISOString()} [${kind}] ${said.map(String).join(" ").trimEnd()}`.split("\n"));
    lines.splice(0, lines.length - MOST_LINES);
  };
  const remembering: ProxyHandler<vscode.LogOutputChannel> = {
    get: (target, key) => {
      const found: unknown = Reflect.get(target, key);
      if (typeof found !== "function") return found;
      return (...said: unknown[]): unknown => {
        if (isLevel(key)) note(key, said);
        return Reflect.apply(found, target, said);
      };
    },
  };
  return { channel: new Proxy(channel, remembering), lines };
}

function isLevel(key: string | symbol): key is keyof typeof LEVELS {
  return typeof key === "string" && Object.hasOwn(LEVELS, key);
}
