/** Which documents are sent to the server, and for which of them findings are shown. */

/** The scheme of documents that Memlane itself makes: other versions of a file, to compare with. */
export const VERSIONS = "memlane-version";

/** All documents in MLIR, whatever they are kept in: files, untitled ones, both sides of a diff editor. */
export const SELECTOR = [{ language: "mlir" }];

/** Documents that are not the user's to repair: the other side of a diff, versions to compare with, chats' copies. */
const READ_ONLY = new Set([VERSIONS, "git", "gitfs", "review", "chat-editing-text-model", "vscode-chat-code-block"]);

/** Whether findings of a document are shown; hints and hovers are, in any case. */
export function showsFindings(scheme: string): boolean {
  return !READ_ONLY.has(scheme);
}
