import { useSyncExternalStore } from 'react';

/** Whether the service can be reached, from requests and from the socket of subscriptions. */
export type Connection = 'online' | 'reconnecting' | 'offline';

let isRequestLost = false;
let isSocketLost = false;
let notified: Connection = 'online';
const listeners = new Set<(connection: Connection) => void>();

function current(): Connection {
  if (!navigator.onLine) return 'offline';
  return isRequestLost || isSocketLost ? 'reconnecting' : 'online';
}

function notifyIfChanged(): void {
  const next = current();
  if (next === notified) return;
  notified = next;
  for (const listener of listeners) listener(next);
}

/** Reports whether a request reached the service. */
export function reportRequest(wasReached: boolean): void {
  isRequestLost = !wasReached;
  notifyIfChanged();
}

/** Reports whether the socket of subscriptions is open. */
export function reportSocket(isOpen: boolean): void {
  isSocketLost = !isOpen;
  notifyIfChanged();
}

/** Calls `listener` at each change. Returns a function that removes it. */
export function onConnectionChange(listener: (connection: Connection) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, () => notified);
}

addEventListener('online', notifyIfChanged);
addEventListener('offline', notifyIfChanged);
