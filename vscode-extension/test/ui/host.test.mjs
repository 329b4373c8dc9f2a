// Runs the tests of test/host inside the extension host of a real editor, with the extension from its folder.
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { format } from "node:util";
import { build } from "esbuild";
import { Editor, EXTENSION, missing } from "./editor.mjs";
import { until } from "./hands.mjs";

const bundled = existsSync(path.join(EXTENSION, "bundled/libs")) && existsSync(path.join(EXTENSION, "dist/extension.js"));
const skip = missing() ?? (bundled ? false : "the extension is not built: npm run package");

test("the tests in the extension host", { skip, timeout: 1_500_000 }, async () => {
  const outfile = path.join(EXTENSION, "dist-test/index.js");
  await build({ entryPoints: [path.join(EXTENSION, "test/host/index.ts")], outfile, bundle: true, platform: "node", external: ["vscode"], logLevel: "error" });
  let code;
  const said = [];
  const editor = await Editor.start({
    files: { "closed.mlir": "func.func @closed() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n" },
    options: ["--vscode-option", "enable-smoke-test-driver"],
    payload: (host) => [
      ["extensionDevelopmentPath", `vscode-remote://${host}${EXTENSION}`],
      ["extensionTestsPath", `vscode-remote://${host}${outfile}`],
    ],
    before: async (page) => {
      await page.exposeFunction("codeAutomationLog", (_type, args) => said.push(format(...args)));
      await page.exposeFunction("codeAutomationExit", (ended) => (code = ended));
    },
  });
  try {
    await until("the tests to end", () => code !== undefined, 1_200_000).catch((error) => said.push(String(error)));
    // The editor's own console comes along: libraries that are not built here, and the network that is not there.
    const report = said.filter((call) => /^ {2,}[✔✓\d]|^ +at .*dist-test|AssertionError|^Error: \d+ tests|waited in vain/.test(call));
    console.log(report.join("\n").slice(-6000));
    assert.equal(code, 0);
  } finally {
    await editor.close();
    rmSync(path.dirname(outfile), { recursive: true, force: true });
  }
});
