/** Wakes one loop that alternates between work and rest. A notification during the work is not lost. */
export class Notifier {
  #isNotified = false;
  #resolveWait: () => void = () => {};

  notify(): void {
    this.#isNotified = true;
    this.#resolveWait();
  }

  /** Forgets earlier notifications. The loop calls it before it looks for work. */
  listen(): void {
    this.#isNotified = false;
  }

  /** Resolves at the first notification since `listen`, or after `ms` milliseconds. */
  wait(ms: number): Promise<void> {
    if (this.#isNotified) return Promise.resolve();
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms);
      this.#resolveWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
