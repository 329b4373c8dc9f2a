/** The life of the server, with a client in place of the real one. */

import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { Server } from "../../src/client";
import { showsFindings } from "../../src/schemes";
import { stub } from "./stub";

const log = { info: () => undefined, error: () => undefined } as unknown as vscode.LogOutputChannel;

function server(): { server: Server; states: string[] } {
  const made = new Server(log, { extension: "/ext", storage: "/storage" });
  const states: string[] = [];
  made.onState((state) => states.push(state));
  return { server: made, states };
}

describe("the server", () => {
  beforeEach(() => {
    stub.reset();
    stub.settings["memlane.server"] = ["memlane", "server"];
  });

  it("starts, answers, and is stopped", async () => {
    const { server: one, states } = server();
    assert.equal(await one.request("x", {}), undefined);
    one.onNotification("memlane/lanesChanged", () => undefined);
    await one.restart();
    assert.deepEqual(await one.request("x", 1), { method: "x", params: 1 });
    await one.stop();
    assert.deepEqual(states, ["starting", "running", "stopped"]);
    assert.deepEqual(stub.clients[0]?.notified, ["memlane/lanesChanged"]);
    assert.deepEqual(stub.clients[0]?.executable, { command: "memlane", args: ["server"], options: { shell: false } });
  });

  it("is restarted by a new client, after the old one is gone, however often one asks", async () => {
    const { server: one } = server();
    await Promise.all([one.restart(), one.restart(), one.restart()]);
    assert.deepEqual(stub.clients.map((client) => client.disposed ?? false), [true, true, false]);
    assert.equal(one.state, "running");
  });

  it("is said to have failed when it dies, and when it does not start", async () => {
    const { server: one, states } = server();
    await one.restart();
    stub.clients[0]?.become(1);
    assert.equal(one.state, "failed");
    stub.refuse = "no such command";
    await one.restart();
    assert.equal(one.state, "failed");
    assert.deepEqual(states.slice(-2), ["starting", "failed"]);
  });

  it("is waited for by who needs it, and a start that fails is in the way of no other", async () => {
    const { server: one } = server();
    stub.refuse = "no such command";
    void one.restart();
    await one.settled();
    assert.equal(one.state, "failed");
    stub.refuse = undefined;
    void one.restart();
    await one.settled();
    assert.equal(one.state, "running");
  });

  it("has heard of all that is open when who waited for it asks", async () => {
    const { server: one } = server();
    const heard: string[] = [];
    const open = (name: string) => async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      heard.push(name);
    };
    stub.opens = [open("a"), open("b"), open("c")];
    void one.restart();
    await one.settled();
    assert.deepEqual(heard, ["a", "b", "c"]);
  });

  it("says which of its settings cannot be used", async () => {
    stub.settings["memlane.server"] = "memlane server";
    const path = process.env["PATH"];
    process.env["PATH"] = "";
    await server().server.restart();
    process.env["PATH"] = path;
    assert.match(stub.messages[0]?.text ?? "", /^Memlane: memlane\.server is to be a list of words.*and is "memlane server"\.$/);
  });

  it("bothers nobody with what the editor asks or tells while it stops", async () => {
    const { server: one } = server();
    await one.restart();
    const [client] = stub.clients;
    client?.error("Request a failed."); // while it runs, that is a fault, and is told
    client?.error("Document pull failed", undefined, false);
    await one.stop();
    client?.error("Request b failed.");
    client?.error("couldn't create connection to server.", undefined, "force");
    assert.deepEqual(stub.messages.map((one) => one.text), ["Request a failed.", "couldn't create connection to server."]);
  });

  it("asks for a Python where it has none, and does not start", async () => {
    stub.settings["memlane.server"] = [];
    const path = process.env["PATH"];
    process.env["PATH"] = "";
    const { server: one } = server();
    await one.restart();
    process.env["PATH"] = path;
    assert.equal(one.state, "no-python");
    assert.equal(stub.clients.length, 0);
    assert.match(stub.messages[0]?.text ?? "", /found none/);
  });
});

describe("findings", () => {
  it("are shown for files, untitled and remote documents, not for other versions of a file", () => {
    const schemes = ["file", "untitled", "vscode-remote", "vscode-vfs", "git", "memlane-version"];
    assert.deepEqual(schemes.map(showsFindings), [true, true, true, true, false, false]);
  });

  it("of other versions are held back in both ways that they come", async () => {
    stub.reset();
    stub.settings["memlane.server"] = ["memlane", "server"];
    await server().server.restart();
    const middleware = stub.clients[0]?.options.middleware as unknown as {
      handleDiagnostics(uri: unknown, found: unknown[], next: (uri: unknown, found: unknown[]) => void): void;
      provideDiagnostics(document: unknown, id: undefined, token: undefined, next: () => string): unknown;
    };
    const shown: unknown[] = [];
    for (const scheme of ["git", "file"]) middleware.handleDiagnostics({ scheme }, [1], (_, found) => shown.push(found));
    assert.deepEqual(shown, [[], [1]]);
    assert.equal(middleware.provideDiagnostics({ uri: { scheme: "git" } }, undefined, undefined, () => "asked"), undefined);
    assert.equal(middleware.provideDiagnostics({ uri: { scheme: "file" } }, undefined, undefined, () => "asked"), "asked");
  });
});
