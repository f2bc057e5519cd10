/** Wakes one loop that works, rests until something rings, and works again. What rings while it works is not lost. */
export class Notifier {
  #rung = false;
  #wake: () => void = () => {};

  ring(): void {
    this.#rung = true;
    this.#wake();
  }

  /** From here on a ring means that there is news: to be called before the loop looks. */
  listen(): void {
    this.#rung = false;
  }

  /** Resolves at the first ring since `listen`, and after `ms` without any. */
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
