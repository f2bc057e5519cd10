/** Context of a call on behalf of a run: its abort signal, idempotency key and node. */
export interface CallContext {
  signal: AbortSignal;
  /**
   * Idempotency key, equal for all attempts of one node in one run. Calls that must not be repeated send it as
   * `Idempotency-Key`.
   */
  idempotencyKey: string;
  /** The calling node: its id, and the iteration of the surrounding loops. */
  place?: { node: string; iteration: string };
  /** Waits for a resource, for example a thread or a slot. This time does not count towards a timeout. */
  waitFor?<T>(turn: Promise<T>): Promise<T>;
  /** Adds lines to the log of the node. */
  log?(lines: readonly string[]): void;
}
