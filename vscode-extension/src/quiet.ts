/** The language client, without message boxes about what was under way while its server stopped. */

import { LanguageClient, State } from "vscode-languageclient/node";

/**
 * The editor asks and tells of its own accord, for colours or of edits, and does not know that the server is being
 * stopped. What comes in that moment fails in as many ways as there are steps to a stop (no connection, a refusal, a
 * client that may not start again), and the base class pops up a message for most. There is nothing to do about it:
 * the next server receives all open documents and the requests again. The log has the error.
 */
export class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown, showNotification: boolean | "force" = true): void {
    super.error(message, data, this.state === State.Running || showNotification === "force" ? showNotification : false);
  }
}
