/** Progress that the server reports, for work that is shown otherwise than by the client: where it can be stopped. */

import type { ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from "vscode-languageclient/node";

/** What is said of some work. */
export type Progress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;
/** Takes what is being done, and how much of it is done, in percent. */
export type Sink = (message: string, percentage: number) => void;

/** Gives progress to who wants that of a title. */
export class ProgressSinks {
  private readonly wanted = new Map<string, Sink>();
  private readonly taken = new Map<ProgressToken, Sink>();

  /** Take the progress of work of a title, from now on. */
  take(title: string, sink: Sink): void {
    this.wanted.set(title, sink);
  }

  /** Middleware: what nobody wants is for the client. */
  readonly handle = (token: ProgressToken, progress: Progress, next: (token: ProgressToken, progress: Progress) => void): void => {
    if (progress.kind === "begin") {
      const sink = this.wanted.get(progress.title);
      if (sink) this.taken.set(token, sink);
    }
    const sink = this.taken.get(token);
    if (progress.kind === "end") this.taken.delete(token);
    else if (sink) return sink(progress.message ?? "", progress.percentage ?? 0);
    next(token, progress); // of an end the client has to know in any case
  };
}
