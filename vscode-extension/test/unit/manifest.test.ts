/** package.json and what it refers to agree. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(__dirname, "../..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
const manifest = JSON.parse(read("package.json"));
const { contributes } = manifest;

function sources(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() ? sources(path.join(folder, one.name)) : one.name.endsWith(".ts") ? [path.join(folder, one.name)] : [],
  );
}

describe("package.json", () => {
  it("declares the commands that are registered, and no others", () => {
    const code = read("src/commands.ts") + read("src/extension.ts");
    const declared = contributes.commands.map((one: { command: string }) => one.command.replace("memlane.", ""));
    for (const name of declared) assert.match(code, new RegExp(`\\n\\s+${name}[,:]`), name);
    const registered = [...code.matchAll(/^ {4,6}(\w+): (?:async )?\(.*=>/gm)].map((match) => match[1]);
    for (const name of registered) assert.ok(declared.includes(name), name);
  });

  it("names only files that are there", () => {
    const files = [
      manifest.icon,
      ...contributes.languages.map((one: { configuration: string }) => one.configuration),
      ...contributes.grammars.map((one: { path: string }) => one.path),
      ...contributes.walkthroughs.flatMap((walk: { steps: { media: Record<string, unknown> }[] }) =>
        // scripts/bundle.py copies them from the documentation
        walk.steps.flatMap(({ media }) => [...Object.values(media["image"] ?? {}), media["markdown"] ?? manifest.icon].map((one) => String(one).replace("walkthrough/", "../docs/editors/vscode-"))),
      ),
    ];
    for (const file of files) assert.ok(existsSync(path.join(root, file)), file);
  });

  it("declares the settings that the code reads", () => {
    const properties = Object.assign({}, ...contributes.configuration.map((group: { properties: object }) => group.properties));
    const used = [...read("src/settings.ts").matchAll(/section\.get(?:<[^>]*>)?\("([\w.]+)"/g)].map((match) => match[1]);
    assert.ok(used.length >= 6);
    for (const key of used) assert.ok(`memlane.${key}` in properties, key);
  });

  it("keeps the workspace from naming what is run, until it is trusted", () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    for (const key of ["memlane.interpreter", "memlane.server"]) assert.ok(restrictedConfigurations.includes(key), key);
  });

  it("lets Enter end a line whose last word is all written", () => {
    // Lines end with names of types and operations, for which there are suggestions: accepted, they would eat the key.
    assert.equal(contributes.configurationDefaults["[mlir]"]["editor.acceptSuggestionOnEnter"], "smart");
  });

  it("sorts before the LLVM project's extension, whose grammar then replaces ours", () => {
    // VS Code reads extensions in the order of their folders' names, and the last grammar of a scope counts.
    assert.ok(`${manifest.publisher}.${manifest.name}-1` < "llvm-vs-code-extensions.vscode-mlir-0");
    assert.deepEqual(contributes.grammars.map((one: { scopeName: string }) => one.scopeName), ["source.mlir", "markdown.mlir.codeblock"]);
  });

  it("gives names of operations a colour that themes have, where they are semantic tokens, too", () => {
    const [{ language, scopes }] = contributes.semanticTokenScopes;
    assert.equal(language, "mlir");
    const grammar = read("syntaxes/mlir.json");
    // Themes leave keyword.operator, which stands for the type "operator" by default, in the colour of plain text.
    assert.deepEqual(Object.keys(scopes), ["operator"]);
    for (const scope of scopes.operator) assert.ok(grammar.includes(`"${scope}"`), scope);
  });

  it("matches what the command line prints as problems", () => {
    const { regexp } = contributes.problemMatchers[0].pattern;
    const found = new RegExp(regexp).exec("C:\\x y\\a.mlir:7:12: warning[possible-leak]: buffer %first of 4 bytes: never");
    assert.deepEqual(found?.slice(1), ["C:\\x y\\a.mlir", "7", "12", "warning", "possible-leak", "buffer %first of 4 bytes: never"]);
    assert.equal(new RegExp(regexp).exec("Found 2 warnings in 1 file."), null);
  });
});

describe("sources", () => {
  it("are small files, whose exported names say what they are", () => {
    for (const file of [...sources("src"), ...sources("webview")]) {
      const text = read(file);
      assert.ok(text.split("\n").length < 300, `${file} is long`);
      assert.ok(text.startsWith("/**"), `${file} does not say what it is`);
      for (const match of text.matchAll(/(?<=\n)(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export (?:async )?(?:function|class|interface|const|type) (\w+)/g)) {
        assert.ok(match[1], `${file}: ${match[2]} has no comment`);
      }
    }
  });

  it("of the panel never make elements from text", () => {
    for (const file of sources("webview")) assert.doesNotMatch(read(file), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/, file);
  });
});
