// Bundles the extension (for Node) and the memory panel (for the webview) into dist/. `--watch` does so at each change.
import { build, context } from "esbuild";

const common = { bundle: true, minify: true, sourcemap: false, legalComments: "none", logLevel: "info" };
const bundles = [
  {
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["vscode"],
  },
  {
    ...common,
    entryPoints: ["webview/main.ts"],
    outfile: "dist/panel.js",
    platform: "browser",
    target: "es2022",
    format: "iife",
  },
];

if (process.argv.includes("--watch")) {
  for (const bundle of bundles) await (await context(bundle)).watch();
} else {
  await Promise.all(bundles.map((bundle) => build(bundle)));
}
