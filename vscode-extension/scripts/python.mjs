// Runs a Python script with the project's environment where there is one, else with any Python: MEMLANE_PYTHON names
// another. `node scripts/python.mjs SCRIPT ARGS...`
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const own = process.platform === "win32" ? "../.venv/Scripts/python.exe" : "../.venv/bin/python";
const python = process.env.MEMLANE_PYTHON ?? (existsSync(own) ? own : process.platform === "win32" ? "py" : "python3");
const done = spawnSync(python, process.argv.slice(2), { stdio: "inherit" });
if (done.error) console.error(`${python}: ${done.error.message}`);
process.exit(done.status ?? 1);
