// In place of the modules that exist only in an editor: just enough of `vscode` for what is tested without one. Each
// test sets `vscode.test` first. The real client cannot run on a stub: it is replaced as well.
const Module = require("node:module");

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener) => {
      this.listeners.add(listener);
      return { dispose: () => this.listeners.delete(listener) };
    };
  }
  fire(value) {
    for (const listener of [...this.listeners]) listener(value);
  }
  dispose() {
    this.listeners.clear();
  }
}

const test = { settings: {}, folders: [], trusted: true, extensions: {}, messages: [], answer: undefined, commands: [], clients: [] };

function getConfiguration(section) {
  const get = (key, fallback) => test.settings[`${section}.${key}`] ?? fallback;
  return { get, inspect: () => ({}), update: async (key, value) => void (test.settings[`${section}.${key}`] = value) };
}

class CancellationTokenSource {
  token = { isCancellationRequested: false };
  cancel() {
    this.token.isCancellationRequested = true;
  }
}

const never = () => ({ dispose: () => undefined });

const vscode = {
  test,
  EventEmitter,
  CancellationTokenSource,
  ConfigurationTarget: { Global: 1, Workspace: 2 },
  workspace: {
    getConfiguration,
    onDidChangeTextDocument: never,
    get workspaceFolders() {
      return test.folders.map((path) => ({ uri: { scheme: "file", fsPath: path } }));
    },
    get isTrusted() {
      return test.trusted;
    },
  },
  window: {
    onDidChangeActiveTextEditor: never,
    onDidChangeTextEditorSelection: never,
    get activeTextEditor() {
      return test.editor;
    },
    showErrorMessage: async (text, ...buttons) => (test.messages.push({ text, buttons }), test.answer),
    showInputBox: async () => test.input,
  },
  extensions: { getExtension: (id) => test.extensions[id] },
  commands: { executeCommand: async (...command) => void test.commands.push(command) },
  Uri: class Uri {},
};

const State = { Stopped: 1, Running: 2, Starting: 3 };

class LanguageClient {
  constructor(id, name, executable, options) {
    Object.assign(this, { id, name, executable, options, state: State.Stopped, changed: new EventEmitter(), notified: [] });
    this.onDidChangeState = this.changed.event;
    test.clients.push(this);
  }
  onNotification(method) {
    this.notified.push(method);
  }
  become(newState) {
    this.state = newState;
    this.changed.fire({ newState });
  }
  async start() {
    if (test.refuse) throw new Error(test.refuse);
    this.become(State.Running);
    void this.tell();
  }
  async tell() {
    for (const send of test.opens) await this.options.middleware.didOpen({}, send);
  }
  async dispose() {
    this.disposed = true;
    this.become(State.Stopped);
  }
  async sendRequest(method, params) {
    return { method, params };
  }
  error(text, _data, shown = true) {
    if (shown) test.messages.push({ text, buttons: [] });
  }
}

const replaced = { vscode, "vscode-languageclient/node": { LanguageClient, State } };
const load = Module._load;
Module._load = function (request, ...rest) {
  return replaced[request] ?? load.call(this, request, ...rest);
};
