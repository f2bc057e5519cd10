export type AbortListener = (() => void) | { handleEvent(): void };

/** The part of `AbortSignal` that calls need; `AbortSignal` itself, or the signal of a lighter controller. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Throws the reason of the abort, if there was one. */
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: AbortListener, options: { once: true }): void;
  removeEventListener(type: 'abort', listener: AbortListener): void;
}

/** The part of `AbortController` that calls need. */
export interface AbortControllerLike {
  readonly signal: AbortSignalLike;
  /** Only the first call has an effect. */
  abort(reason: unknown): void;
}

/** The same signal for functions that accept only the platform's `AbortSignal`. */
export function toAbortSignal(signal: AbortSignalLike): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}
