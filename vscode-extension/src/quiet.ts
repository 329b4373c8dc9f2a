/** The language client, without complaints of what was asked while its server stopped. */

import type { CancellationToken } from "vscode";
import { LanguageClient, type MessageSignature, State } from "vscode-languageclient/node";

/**
 * The editor asks of its own accord, for colours or folds, and does not know that the server is being stopped. What is
 * asked then fails in as many ways as there are moments (no connection, a refusal, a client that may not start again),
 * and the base class pops up a message for most. There is nothing to tell: the next server is asked anew.
 */
export class QuietClient extends LanguageClient {
  override handleFailedRequest<T>(
    type: MessageSignature,
    token: CancellationToken | undefined,
    error: unknown,
    defaultValue: T,
    showNotification?: boolean,
    throwOnCancel?: boolean,
  ): T {
    if (this.state === State.Running) {
      return super.handleFailedRequest(type, token, error, defaultValue, showNotification, throwOnCancel);
    }
    this.debug(`${type.method} came while the server was not running`, error, false);
    return defaultValue;
  }
}
