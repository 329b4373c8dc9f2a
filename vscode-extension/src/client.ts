/** The server's life: found a Python, started, restarted, stopped; and what it is doing now. */

import * as vscode from "vscode";
import { type LanguageClientOptions, type ServerOptions, State } from "vscode-languageclient/node";
import { type Launch, type Places, serverLaunch } from "./launch";
import { ProgressSinks } from "./progress";
import { complainNoPython } from "./python/complain";
import { type Found, findPython } from "./python/find";
import { QuietClient } from "./quiet";
import { SELECTOR, showsFindings } from "./schemes";
import { settings } from "./settings";

/** What the status bar shows of the server. */
export type ServerState = "starting" | "running" | "stopped" | "no-python" | "failed";

/** One server and the client that talks with it. */
export class Server implements vscode.Disposable {
  private client: QuietClient | undefined;
  private changing: Promise<void> = Promise.resolve();
  private opened: Promise<void> = Promise.resolve();
  private readonly instead = new Map<string, (...args: unknown[]) => unknown>();
  private readonly notified = new Map<string, (params: unknown) => void>();
  /** Progress of the server that is shown otherwise than by the client. */
  readonly progress = new ProgressSinks();
  private readonly stateChanged = new vscode.EventEmitter<ServerState>();

  /** Fires at each change of `state`. */
  readonly onState = this.stateChanged.event;
  /** What the server is doing. */
  state: ServerState = "stopped";
  /** What the last search for a Python brought. */
  found: Found = { rejected: [] };
  /** How the server that runs was started. */
  launch: Launch | undefined;

  constructor(
    private readonly output: vscode.LogOutputChannel,
    private readonly places: Places,
  ) {}

  /** Start, or stop and start again. Calls are worked off one after the other. */
  restart(): Promise<void> {
    this.changing = this.changing.then(async () => {
      await this.halt();
      await this.run();
    });
    return this.changing;
  }

  /** Wait until the starts that were asked for have come to an end: what one needs of the server can be asked then. */
  settled(): Promise<void> {
    return this.changing.then(() => this.opened);
  }

  /** Ask the server; nothing where none runs. Rejects where it answers with an error. */
  async request<T>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<T | undefined> {
    if (this.client?.state !== State.Running) return undefined;
    return token ? this.client.sendRequest<T>(method, params, token) : this.client.sendRequest<T>(method, params);
  }

  /** Call `action` at each notification of a kind, of this server and those that follow it. */
  onNotification(method: string, action: (params: unknown) => void): void {
    this.notified.set(method, action);
  }

  /** Do `action` where a command of the server is run: for what an editor can show better than a browser. */
  intercept(command: string, action: (...args: unknown[]) => unknown): void {
    this.instead.set(command, action);
  }

  /** What the server said it can do. */
  get capabilities(): unknown {
    return this.client?.initializeResult?.capabilities;
  }

  /** Stop the server. */
  async stop(): Promise<void> {
    await this.changing;
    await this.halt();
  }

  dispose(): void {
    this.stateChanged.dispose();
  }

  /** Start a server. Failures are reported, and do not prevent the next start. */
  private async run(): Promise<void> {
    this.set("starting");
    try {
      await this.launched();
    } catch (error) {
      this.output.error(`the server did not start: ${String(error)}`);
      this.set("failed");
    }
  }

  private async launched(): Promise<void> {
    const { server: own, logLevel, problems } = settings();
    for (const problem of problems) {
      this.output.error(problem);
      void vscode.window.showErrorMessage(`Memlane: ${problem}`);
    }
    if (own.length === 0) {
      this.found = await findPython((text) => this.output.info(text));
      if (!this.found.interpreter) {
        this.set("no-python");
        void complainNoPython(this.found.rejected);
        return;
      }
      const { path, version, source } = this.found.interpreter;
      this.output.info(`Python ${version} at ${path}, from ${source}`);
    }
    this.launch = serverLaunch(this.found.interpreter?.path, this.places, own, logLevel);
    if (!this.launch) return;
    const opening = new Set<Promise<void>>();
    const client = new QuietClient("memlane", "Memlane", executable(this.launch), this.options(opening));
    client.onDidChangeState(({ newState }) => this.follow(client, newState));
    for (const [method, action] of this.notified) client.onNotification(method, action);
    this.client = client;
    await client.start();
    this.opened = sent(opening);
  }

  private async halt(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      // A server that died, or never started, cannot be asked to stop: it is gone all the same.
      this.output.info(`the server did not stop as asked: ${String(error)}`);
    }
    this.set("stopped");
  }

  private follow(client: QuietClient, state: State): void {
    if (client !== this.client) return;
    this.set(state === State.Running ? "running" : state === State.Starting ? "starting" : "failed");
  }

  private set(state: ServerState): void {
    if (state === this.state) return;
    this.state = state;
    this.stateChanged.fire(state);
  }

  /** `opening` has the messages that open documents, while they are under way. */
  private options(opening: Set<Promise<void>>): LanguageClientOptions {
    return {
      documentSelector: SELECTOR,
      outputChannel: this.output,
      initializationOptions: vscode.workspace.getConfiguration("memlane"),
      synchronize: { configurationSection: "memlane" },
      markdown: { supportHtml: false, isTrusted: false },
      middleware: {
        didOpen: (document, next) => {
          const message = next(document).finally(() => opening.delete(message));
          opening.add(message);
          return message;
        },
        executeCommand: async (command, args, next) => {
          const action = this.instead.get(command);
          return action ? action(...args) : next(command, args);
        },
        handleWorkDoneProgress: this.progress.handle,
        handleDiagnostics: (uri, diagnostics, next) => next(uri, showsFindings(uri.scheme) ? diagnostics : []),
        provideDiagnostics: (document, previous, token, next) => {
          const uri = document instanceof vscode.Uri ? document : document.uri;
          return showsFindings(uri.scheme) ? next(document, previous, token) : undefined;
        },
      },
    };
  }
}

/**
 * Wait until a client that has started has said what is open: it does so one document after the other, and a request
 * about the last of them would come before that.
 */
async function sent(opening: ReadonlySet<Promise<void>>): Promise<void> {
  do {
    await Promise.allSettled(opening);
    await new Promise((resolve) => setImmediate(resolve)); // the message after it has begun
  } while (opening.size > 0);
}

function executable(launch: Launch): ServerOptions {
  // No `transport`: the client would add `--stdio` to the arguments of any command that the user set.
  return { command: launch.command, args: [...launch.args], options: { shell: false } };
}
