/** What the tests set and see of the stubbed editor (stub.cjs). */

import * as vscode from "vscode";

/** A client in place of the real one. */
export interface StubClient {
  executable: { command: string; args: string[] };
  options: { middleware: Record<string, (...args: never[]) => unknown> };
  notified: string[];
  disposed?: boolean;
  become(state: number): void;
  error(text: string, data?: unknown, shown?: boolean | "force"): void;
}

interface Stub {
  settings: Record<string, unknown>;
  folders: string[];
  trusted: boolean;
  extensions: Record<string, unknown>;
  messages: { text: string; buttons: string[] }[];
  answer: string | undefined;
  input: string | undefined;
  commands: unknown[][];
  clients: StubClient[];
  refuse: string | undefined;
  /** What a client that has started does to say which documents are open, one after the other. */
  opens: (() => Promise<void>)[];
  /** The active editor. */
  editor: unknown;
  reset(): void;
}

/** The state of the stub. */
export const stub = (vscode as unknown as { test: Stub }).test;

stub.reset = () =>
  Object.assign(stub, { settings: {}, folders: [], trusted: true, extensions: {}, messages: [], answer: undefined, input: undefined, commands: [], clients: [], refuse: undefined, opens: [], editor: undefined });
