/** The grammar, run by the engine that VS Code runs it with. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { type IGrammar, INITIAL, Registry } from "vscode-textmate";

const root = path.resolve(__dirname, "../..");
const files: Record<string, string> = { "source.mlir": "mlir", "markdown.mlir.codeblock": "markdown" };

async function grammar(scope: string): Promise<IGrammar> {
  await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer).catch(() => undefined); // once is enough
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (name) => (files[name] ? JSON.parse(readFileSync(path.join(root, `syntaxes/${files[name]}.json`), "utf8")) : null),
  });
  return (await registry.loadGrammar(scope)) ?? assert.fail(scope);
}

/** The innermost scope of each piece of the lines that is more than blanks, as `text=scope`. */
function scopes(of: IGrammar, ...lines: string[]): string[] {
  let state = INITIAL;
  return lines.flatMap((line) => {
    const { tokens, ruleStack } = of.tokenizeLine(line, state);
    state = ruleStack;
    return tokens.flatMap((token) => {
      const text = line.slice(token.startIndex, token.endIndex).trim();
      return text ? [`${text}=${(token.scopes.at(-1) ?? "").replace(/\.mlir$/, "")}`] : [];
    });
  });
}

describe("the grammar", () => {
  let mlir: IGrammar;
  before(async () => (mlir = await grammar("source.mlir")));

  it("tells values, operations and types apart", () => {
    const found = scopes(mlir, "  %a:2 = memref.alloc(%n) : memref<?x4xf32, strided<[4, 1]>>");
    for (const one of ["%a:2=variable.other.value", "memref=support.class.dialect", "alloc=keyword.other.operation", "%n=variable.other.value", "memref=storage.type", "f32=storage.type.element"])
      assert.ok(found.includes(one), `${one} in ${found.join(" ")}`);
    assert.ok(found.includes("?=constant.numeric.dimension") && found.includes("4=constant.numeric.dimension"), found.join(" "));
  });

  it("knows functions, blocks, symbols, attributes and strings", () => {
    const found = scopes(mlir, 'func.func private @f(%a: i32) attributes {x = "a\\n", y = #map} {', "^bb1(%b: index):", "  call @g() : () -> ()");
    for (const one of ["func.func=keyword.declaration", "private=storage.modifier", "@f=entity.name.function", "x=entity.other.attribute-name", "\\n=constant.character.escape", "#map=entity.other.attribute.alias", "^bb1=entity.name.label", "@g=entity.name.function.reference", "index=storage.type"])
      assert.ok(found.includes(one), `${one} in ${found.join(" ")}`);
  });

  it("ends types and strings at the end of the line where they are not closed", () => {
    const found = scopes(mlir, '  "x.y', "  %a = arith.constant 1 : i32 // memlane: ignore[leak]");
    assert.ok(found.includes("%a=variable.other.value"), found.join(" "));
    assert.ok(found.some((one) => one.endsWith("keyword.other.suppression")), found.join(" "));
  });

  it("reads fences of Markdown", async () => {
    const found = scopes(await grammar("markdown.mlir.codeblock"), "```mlir", "%a = memref.alloc() : memref<4xf32>", "```", "%a");
    assert.ok(found.includes("%a=variable.other.value"), found.join(" "));
    assert.equal(found.filter((one) => one.startsWith("%a=variable")).length, 1);
  });
});
