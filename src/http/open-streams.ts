import type { ServerResponse } from 'node:http';

/** The streamed responses of one kind of route that are open in this process. */
export class OpenStreams {
  readonly #open = new Set<AbortController>();
  #isClosed = false;

  get size(): number {
    return this.#open.size;
  }

  /** Ends all streams, so that clients continue at another process. */
  close(): void {
    this.#isClosed = true;
    for (const controller of this.#open) controller.abort();
  }

  /** Executes `work`. Its controller aborts when the client disconnects or the process closes. */
  async hold(
    response: ServerResponse,
    work: (controller: AbortController) => Promise<void>,
    controller = new AbortController(),
  ): Promise<void> {
    this.#open.add(controller);
    const onClose = () => controller.abort();
    response.once('close', onClose);
    if (response.destroyed || this.#isClosed) controller.abort();
    try {
      await work(controller);
    } finally {
      this.#open.delete(controller);
      response.off('close', onClose);
    }
  }
}
