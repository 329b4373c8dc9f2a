/** Does things once the occasions for them pause. */

/** Runs the newest of the actions it was given after `ms` milliseconds without another, or longer where asked to. */
export class Later {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly ms: number) {}

  /** Run `action` after a rest of at least `atLeast` milliseconds, in place of one that waits. */
  run(action: () => void, atLeast = 0): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(action, Math.max(this.ms, atLeast));
  }

  /** Forget what waits. */
  dispose(): void {
    clearTimeout(this.timer);
  }
}
