/** Waits for a promise outside of the time limit of a call, and returns its result. */
export type WaitFor = <T>(turn: Promise<T>) => Promise<T>;

/** Context of a call on behalf of a run: its abort signal, idempotency key and node. */
export interface CallContext {
  signal: AbortSignal;
  /**
   * Idempotency key of one call, equal for all attempts and resumptions. Each node, iteration and step of a run has its
   * own. Calls that must not be repeated send it as `Idempotency-Key`.
   */
  idempotencyKey: string;
  /** The calling node: its id, and the indexes of the surrounding iterations, outermost first, joined by dots. */
  place?: { node: string; iteration: string };
  /** Waits for a resource, for example a thread, a slot or the database. This time does not count towards a timeout. */
  waitFor?<T>(turn: Promise<T>): Promise<T>;
  /** Adds lines to the log of the node. */
  log?(lines: readonly string[]): void;
}
