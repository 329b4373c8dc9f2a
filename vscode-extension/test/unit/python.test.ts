/** Which Python is taken, and why others are not. */

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { complainNoPython, selectInterpreter } from "../../src/python/complain";
import { findPython } from "../../src/python/find";
import { type PathSearch, pythonsOnPath } from "../../src/python/path";
import { isUsable, probe } from "../../src/python/probe";
import { isSupported, parseVersion } from "../../src/python/version";
import { stub } from "./stub";

describe("versions of Python", () => {
  it("are read from what the program printed, and from nothing else", () => {
    assert.deepEqual(parseVersion("3.11.7"), [3, 11, 7]);
    assert.equal(parseVersion("Python 3.11.7"), undefined);
    assert.equal(parseVersion(""), undefined);
  });

  it("are supported from 3.10 on", () => {
    const versions = [[2, 7, 18], [3, 9, 20], [3, 10, 0], [3, 14, 1], [4, 0, 0]];
    assert.deepEqual(versions.map(isSupported), [false, false, true, true, true]);
  });
});

describe("the PATH", () => {
  const there = new Set(["/usr/bin/python3", "/ws/.venv/bin/python3", "/extra/bin/python3.12", "bin/python3"]);
  const search: PathSearch = {
    platform: "linux",
    path: "bin:/ws/.venv/bin::/usr/bin:/extra/bin:/usr/bin",
    folders: ["/ws"],
    trusted: true,
    exists: (file) => there.has(file),
  };

  it("is searched in its order, python3 first; relative entries never count", () => {
    assert.deepEqual(pythonsOnPath(search), ["/ws/.venv/bin/python3", "/usr/bin/python3", "/extra/bin/python3.12"]);
  });

  it("is not searched inside a workspace that is not trusted", () => {
    assert.deepEqual(pythonsOnPath({ ...search, trusted: false }), ["/usr/bin/python3", "/extra/bin/python3.12"]);
    assert.deepEqual(pythonsOnPath({ ...search, trusted: false, path: "/wsx:/ws", exists: () => true }).filter((one) => one.startsWith("/ws/")), []);
  });

  it("has other names on Windows", () => {
    const windows = { ...search, platform: "win32" as const, path: "C:\\Windows;D:\\Python", exists: (file: string) => file.endsWith("py.exe") };
    assert.deepEqual(pythonsOnPath({ ...windows, folders: [] }), ["C:\\Windows\\py.exe", "D:\\Python\\py.exe"]);
  });
});

describe("the search for a Python", () => {
  let folder = "";
  const fake = (name: string, prints: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\nprintf '%s' '${prints}'\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const kept = process.env["PATH"];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "memlane-python-"));
    stub.reset();
    process.env["PATH"] = folder;
  });
  afterEach(() => {
    process.env["PATH"] = kept;
    rmSync(folder, { recursive: true });
  });

  it("asks a real Python for its version", async () => {
    process.env["PATH"] = kept;
    const found = await probe("python3", "a test");
    assert.ok(isUsable(found), JSON.stringify(found));
    assert.match(found.version, /^3\.\d+\.\d+$/);
  });

  it("takes the setting before all others", async () => {
    fake("python3", "3.11.0");
    stub.settings["memlane.interpreter"] = fake("mine", "3.13.1");
    const { interpreter } = await findPython(() => undefined);
    assert.deepEqual(interpreter, { path: path.join(folder, "mine"), version: "3.13.1", source: "the setting memlane.interpreter" });
  });

  it("passes over what is too old or no Python, says why, and goes on", async () => {
    stub.settings["memlane.interpreter"] = fake("old", "3.9.2");
    fake("python3", "hello");
    fake("python", "3.12.0");
    const { interpreter, rejected } = await findPython(() => undefined);
    assert.equal(interpreter?.path, path.join(folder, "python"));
    assert.deepEqual(rejected.map((one) => path.basename(one.path)), ["old", "python3"]);
    assert.match(rejected[0]?.why ?? "", /3\.9\.2, older than 3\.10/);
  });

  it("asks the Python extensions, the newer one first, and survives their failure", async () => {
    fake("python3", "3.11.0");
    const [chosen, older] = [fake("chosen", "3.12.5"), fake("older", "3.10.1")];
    stub.extensions["ms-python.vscode-python-envs"] = { activate: async () => ({ getEnvironment: async () => ({ execInfo: { run: { executable: chosen } } }) }) };
    stub.extensions["ms-python.python"] = {
      activate: async () => ({ environments: { getActiveEnvironmentPath: () => ({ path: "x" }), resolveEnvironment: async () => ({ executable: { uri: { fsPath: older } } }) } }),
    };
    assert.equal((await findPython(() => undefined)).interpreter?.path, chosen);
    const said: string[] = [];
    stub.extensions["ms-python.vscode-python-envs"] = { activate: async () => Promise.reject(new Error("broken")) };
    assert.equal((await findPython((text) => said.push(text))).interpreter?.path, older);
    assert.match(said.join(), /broken/);
  });

  it("does not ask them in a workspace that is not trusted", async () => {
    fake("python3", "3.11.0");
    stub.trusted = false;
    stub.extensions["ms-python.python"] = { activate: () => assert.fail("asked") };
    assert.equal((await findPython(() => undefined)).interpreter?.path, path.join(folder, "python3"));
  });
});

describe("no Python", () => {
  it("is said with buttons, and what is wrong with the setting", async () => {
    stub.reset();
    stub.answer = "Choose Python...";
    await complainNoPython([{ path: "/x", source: "the setting memlane.interpreter", why: "spawn /x ENOENT" }]);
    const [message] = stub.messages;
    assert.match(message?.text ?? "", /needs Python 3\.10 or newer.*names \/x: spawn \/x ENOENT/);
    assert.deepEqual(message?.buttons, ["Choose Python...", "Open Settings", "Show Logs"]);
    assert.deepEqual(stub.commands, [["memlane.selectInterpreter"]]);
  });

  it("is cured by a path that the user types", async () => {
    stub.reset();
    stub.input = " /python ";
    await selectInterpreter();
    assert.equal(vscode.workspace.getConfiguration("memlane").get("interpreter"), "/python");
  });
});
