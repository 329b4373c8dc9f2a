/** Does things once the occasions for them pause. */

/** Runs the newest of the actions it was given after `ms` milliseconds without another. */
export class Later {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly ms: number) {}

  /** Run `action` after a rest, in place of one that waits. */
  run(action: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(action, this.ms);
  }

  /** Forget what waits. */
  dispose(): void {
    clearTimeout(this.timer);
  }
}
