import { AsyncLocalStorage } from 'node:async_hooks';

const ids = new AsyncLocalStorage<string>();

/** Does `work` for the request of this id: whatever it logs or answers later can name it. */
export function forRequest(id: string, work: () => void): void {
  ids.run(id, work);
}

/** Undefined outside a request, and for what comes over a socket. */
export function presentRequestId(): string | undefined {
  return ids.getStore();
}
