export type AbortListener = (() => void) | { handleEvent(): void };

/** The part of `AbortSignal` that the service uses. Implemented by `AbortSignal` and by lighter controllers. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Throws the abort reason if the signal is aborted. */
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: AbortListener, options: { once: true }): void;
  removeEventListener(type: 'abort', listener: AbortListener): void;
}

/** The part of `AbortController` that the service uses. */
export interface AbortControllerLike {
  readonly signal: AbortSignalLike;
  /** Aborts the signal. Only the first call has an effect. */
  abort(reason: unknown): void;
}

/** Converts a signal to a platform `AbortSignal`, for functions that accept no other type. */
export function toAbortSignal(signal: AbortSignalLike): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

/** Settles as `work` does, or rejects with the reason of the signal if it is aborted first. `work` continues. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignalLike): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}
