/** What runs is what is in the extension, whatever the workspace and the environment hold. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundled, serverLaunch, startSettings } from "../../src/launch";

const places = { extension: "/ext", storage: "/storage" };

describe("the server's command", () => {
  it("is the bundled one, without the environment's and the user's packages", () => {
    const launch = serverLaunch("/usr/bin/python3", places, [], "info");
    assert.equal(launch?.command, "/usr/bin/python3");
    assert.deepEqual(launch?.args.slice(0, 2), ["-I", "-S"]);
    assert.deepEqual(launch?.args.slice(-4), [path.join("/ext", "bundled", "launch.py"), "server", "--log-level", "info"]);
  });

  it("is the user's own where there is one, and needs no Python then", () => {
    assert.deepEqual(serverLaunch(undefined, places, ["memlane", "server"], "info"), { command: "memlane", args: ["server"] });
  });

  it("is none without a Python", () => {
    assert.equal(serverLaunch(undefined, places, [], "info"), undefined);
  });
});

describe("settings that a server is started with", () => {
  it("are taken as they are", () => {
    assert.deepEqual(startSettings(["memlane", "server"], "info"), { server: ["memlane", "server"], logLevel: "info", problems: [] });
  });

  it("are told of where they cannot be used, and the bundled server runs", () => {
    for (const wrong of ["memlane server", { trace: "on" }, [1], null]) {
      const { server, problems } = startSettings(wrong, "warning");
      assert.deepEqual(server, []);
      assert.match(problems.join(), /memlane\.server is to be a list of words/);
    }
    const { logLevel, problems } = startSettings([], "loud");
    assert.equal(logLevel, "warning");
    assert.deepEqual(problems, ['memlane.logLevel is to be one of debug, info, warning, error, and is "loud".']);
  });
});

describe("the launcher", () => {
  let folder = "";
  const module = (at: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, at)), { recursive: true });
    writeFileSync(path.join(folder, at), text);
  };

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "memlane-launch-"));
    cpSync(path.resolve(__dirname, "../../bundled/launch.py"), path.join(folder, "ext/bundled/launch.py"), { recursive: true });
    module("ext/bundled/libs/memlane/__init__.py", "");
    module("ext/bundled/libs/memlane/__main__.py", "import sys\ndef run():\n    print('ours', sys.argv[1:])\n");
    for (const place of ["workspace", "elsewhere"]) {
      module(`${place}/memlane/__init__.py`, "print('theirs')");
      module(`${place}/memlane/__main__.py`, "def run():\n    print('theirs')\n");
      module(`${place}/sitecustomize.py`, "print('theirs')");
      module(`${place}/json.py`, "print('theirs')");
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  it("runs our packages though workspace and PYTHONPATH have others of the same names", () => {
    const launch = bundled("python3", { extension: path.join(folder, "ext"), storage: path.join(folder, "storage") }, ["check", "x"]);
    const env = { ...process.env, PYTHONPATH: path.join(folder, "elsewhere"), PYTHONSTARTUP: path.join(folder, "workspace/json.py") };
    const printed = execFileSync(launch.command, [...launch.args], { cwd: path.join(folder, "workspace"), env, encoding: "utf8" });
    assert.equal(printed.trim(), "ours ['check', 'x']");
  });
});
