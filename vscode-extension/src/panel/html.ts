/** The page of the memory panel: a frame without content, which webview/main.ts fills. Pure. */

/** Text as HTML shows it, in content and in attributes. */
export function escaped(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? character);
}

/** Where the page gets its parts from, as VS Code gives them. */
export interface Parts {
  /** `Webview.cspSource`. */
  readonly source: string;
  readonly script: string;
  readonly style: string;
  /** A number that is used once: only the script with it runs. */
  readonly nonce: string;
}

/** The page. Nothing is loaded but its own script and style; there is no network. */
export function page(parts: Parts): string {
  const policy = [
    "default-src 'none'",
    `style-src ${parts.source}`,
    `script-src 'nonce-${parts.nonce}'`,
    "img-src data:", // the picture on its way to PNG
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy.join("; "))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escaped(parts.style)}">
<title>Memory</title>
</head>
<body>
<main id="memlane"></main>
<script nonce="${escaped(parts.nonce)}" src="${escaped(parts.script)}"></script>
</body>
</html>
`;
}
