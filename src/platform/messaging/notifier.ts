/** Wakes one loop that alternates between work and rest. A notification during the work is not lost. */
export class Notifier {
  #rung = false;
  #wake: () => void = () => {};

  ring(): void {
    this.#rung = true;
    this.#wake();
  }

  /** Forgets earlier notifications. The loop calls it in front of each look at its work. */
  listen(): void {
    this.#rung = false;
  }

  /** Resolves at the first notification since `listen`, or after `ms` milliseconds. */
  rest(ms: number): Promise<void> {
    if (this.#rung) return Promise.resolve();
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
