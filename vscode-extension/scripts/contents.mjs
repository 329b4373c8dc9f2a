// Checks the VSIX that was made: its size, that all that is in it is meant to be, and that what is needed is there.
import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

const MOST_BYTES = 3 * 1024 * 1024;
const file = process.argv[2] ?? "memlane.vsix";
const WANTED = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(package|language-configuration)\.json$/,
  /^extension\/(readme|changelog)\.md$/,
  /^extension\/LICENSE\.txt$/,
  /^extension\/dist\/(extension|panel)\.js$/,
  /^extension\/media\/[\w-]+\.(png|css|md)$/,
  /^extension\/syntaxes\/(mlir|markdown)\.json$/,
  /^extension\/walkthrough\/[\w-]+\.(md|png)$/,
  /^extension\/bundled\/launch\.py$/,
  /^extension\/bundled\/libs\/(memlane|memlane_server)\/[\w/.-]+\.(py|typed|toml|lark|txt|json|bin)$/,
  /^extension\/bundled\/libs\/(attr|attrs|cattr|cattrs|exceptiongroup|lark|lsprotocol|pygls|shtab|tomli|wcwidth)\/[\w/.-]+\.(py|pyi|lark)$/,
  /^extension\/bundled\/libs\/typing_extensions\.py$/,
  /^extension\/bundled\/libs\/[\w.-]+\.dist-info\/([\w/.-]*\/)?(METADATA|LICEN[SC]E[\w.-]*)$/,
];
const NEEDED = ["bundled/libs/memlane_server/server.py", "bundled/libs/memlane/syntax/shapes/mlir.lark", "bundled/libs/pygls/lsp/server.py", "dist/extension.js", "dist/panel.js"];

/** The names in a zip archive, from its central directory; and a function that gives a file's text. */
function archive(bytes) {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = bytes.readUInt32LE(end + 16);
  const entries = new Map();
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    entries.set(bytes.toString("utf8", at + 46, at + 46 + name), { start: bytes.readUInt32LE(at + 42), size: bytes.readUInt32LE(at + 20), packed: bytes.readUInt16LE(at + 10) !== 0 });
    at += 46 + name + extra + comment;
  }
  const text = (name) => {
    const { start, size, packed } = entries.get(name);
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    const data = bytes.subarray(from, from + size);
    return (packed ? inflateRawSync(data) : data).toString("utf8");
  };
  return { names: [...entries.keys()], text };
}

const bytes = readFileSync(file);
const { names, text } = archive(bytes);
const problems = [
  ...names.filter((name) => !WANTED.some((pattern) => pattern.test(name))).map((name) => `not meant to be in it: ${name}`),
  ...NEEDED.filter((name) => !names.includes(`extension/${name}`)).map((name) => `missing: ${name}`),
  ...(bytes.length >= MOST_BYTES ? [`${bytes.length} bytes: more than ${MOST_BYTES}`] : []),
  ...(/http-equiv|default-src 'none'/.test(text("extension/dist/extension.js")) ? [] : ["the panel's page has no policy"]),
];
for (const problem of problems) console.error(`${file}: ${problem}`);
console.log(`${file}: ${names.length} files, ${(bytes.length / 1024 / 1024).toFixed(2)} MiB`);
process.exit(problems.length > 0 ? 1 : 0);
