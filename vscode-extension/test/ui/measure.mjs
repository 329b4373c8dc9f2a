// Measures, and prints: CPU time of extension host and server from their start to the first finding in a file of 1,000
// lines; and long tasks in the page's main thread (panel included) while somebody types into one of 10,000 lines, with lanes and panel and without
// the extension. `node test/ui/measure.mjs`, after npm run package.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Editor, EXTENSION } from "./editor.mjs";
import { Hands, until } from "./hands.mjs";

const VSIX = process.env.MEMLANE_VSIX ?? path.join(EXTENSION, "memlane.vsix");
const TICKS = 100; // of the kernel's clock, in a second

/** A program of about so many lines: one function of many buffers, one of them leaked, as bufferization leaves them. */
function program(lines) {
  const text = ["func.func @large(%arg: memref<64x64xf32>) {", "  %c0 = arith.constant 0 : index", "  %leaked = memref.alloc() : memref<8xf32>"];
  for (let index = 0; text.length < lines - 6; index++) {
    text.push(`  %b${index} = memref.alloc() : memref<64x64xf32>`);
    text.push(`  memref.copy %arg, %b${index} : memref<64x64xf32> to memref<64x64xf32>`);
    for (let use = 0; use < 6; use++) text.push(`  %v${index}_${use} = memref.load %b${index}[%c0, %c0] : memref<64x64xf32>`);
    text.push(`  memref.dealloc %b${index} : memref<64x64xf32>`);
  }
  return [...text, "  return", "}", ""].join("\n");
}

/** Seconds of CPU time of extension hosts and servers below a process; those that `before` lists are left out. */
function cpu(pid, before = []) {
  const stats = new Map();
  for (const name of readdirSync("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      stats.set(Number(name), { parent: Number(fields[1]), time: (Number(fields[11]) + Number(fields[12])) / TICKS, command });
    } catch {
      continue; // it ended while it was looked at
    }
  }
  const below = (one) => one === pid || (stats.has(one) && below(stats.get(one).parent));
  const ours = [...stats].filter(([one]) => below(one) && !before.includes(one));
  const sum = (pattern) => ours.filter(([, stat]) => pattern.test(stat.command)).reduce((total, [, stat]) => total + stat.time, 0);
  return { host: sum(/type=extensionHost/), server: sum(/launch\.py|memlane_server/), pids: ours.map(([one]) => one) };
}

async function startup(vsix) {
  const editor = await Editor.start({ vsix, files: { "a.mlir": program(1000) }, open: "a.mlir" });
  try {
    const hands = new Hands(editor.page);
    const shown = async () => {
      if (vsix.length > 0) await until("a finding", () => hands.squiggles("warning"));
      else await editor.page.waitForTimeout(12_000); // what the editor does by itself has been done
    };
    await shown();
    const first = cpu(editor.process.pid);
    await editor.page.reload();
    await shown();
    const second = cpu(editor.process.pid, first.pids);
    const seconds = ({ host, server }) => `${host.toFixed(2)} + ${server.toFixed(2)}`;
    return `first start: ${seconds(first)}, second start: ${seconds(second)}`;
  } finally {
    await editor.close();
  }
}

/** Milliseconds of CPU time of each task of a page's main thread that took 50 or more: wall time is the machine's. */
function long(events) {
  const main = new Set(events.filter((one) => one.name === "thread_name" && one.args.name === "CrRendererMain").map((one) => `${one.pid}.${one.tid}`));
  const tasks = events.filter((one) => one.ph === "X" && main.has(`${one.pid}.${one.tid}`) && /RunTask/.test(one.name));
  return tasks.map((one) => Math.round((one.tdur ?? one.dur) / 1000)).filter((ms) => ms >= 50);
}

async function typing(vsix) {
  const editor = await Editor.start({ vsix, files: { "a.mlir": program(10_000) }, open: "a.mlir", settings: { "editor.quickSuggestions": false } });
  try {
    const hands = new Hands(editor.page);
    let panel;
    if (vsix.length > 0) {
      await until("a finding", () => hands.squiggles("warning"));
      await hands.goTo(5000, 1);
      await hands.run("Memlane: Show Memory of Function");
      panel = await hands.frameWith(".block");
      await until("lanes", async () => (await hands.lanes()).length > 0);
    } else await until("the text", async () => (await hands.text()).includes("memref"));
    await hands.goTo(5000, 1);
    await editor.page.keyboard.press("End");
    await editor.page.keyboard.press("Enter");
    await editor.page.waitForTimeout(3000);
    await editor.browser.startTracing(editor.page, { categories: ["toplevel"] });
    const line = "  %new = memref.alloc() : memref<128x128xf32>";
    for (const character of line) {
      await editor.page.keyboard.type(character);
      await editor.page.waitForTimeout(120);
    }
    await until("what was typed", async () => (await hands.text()).includes(line.trim()));
    if (panel) await until("the panel to show it", async () => (await panel.locator('.block[aria-label^="%new,"]').count()) > 0, 120_000);
    await editor.page.waitForTimeout(3000);
    const tasks = long(JSON.parse((await editor.browser.stopTracing()).toString("utf8")).traceEvents);
    const lanes = (await hands.lanes()).length;
    return { keys: line.length, tasks, lanes };
  } finally {
    await editor.close();
  }
}

console.log("CPU seconds of extension host + server, editor alone:", await startup([]));
console.log("CPU seconds of extension host + server to the first finding in 1,000 lines:", await startup([VSIX]));
console.log("long tasks (ms of CPU) while typing into 10,000 lines, editor alone", JSON.stringify(await typing([])));
console.log("long tasks (ms of CPU) while typing into 10,000 lines, lanes and panel", JSON.stringify(await typing([VSIX])));
