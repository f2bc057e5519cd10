import { LRUCache } from 'lru-cache';
import { toClientNetwork } from '../../../platform/requests/client-network.js';

const WINDOW_MS = 60_000;
/** The maximum number of counted networks. Beyond it, the least recently used entry is evicted. */
const MAX_NETWORKS = 50_000;

interface Window {
  /** In milliseconds of `performance.now()`. */
  endsAt: number;
  count: number;
}

/**
 * Counts events by client network, in fixed windows of 60 seconds that start with the first event of a network.
 * Each process counts separately, so the effective limit is multiplied by the number of processes.
 */
export class AddressLimit {
  /** Created with the first counted event, because the cache allocates memory for all networks at once. */
  #windows: LRUCache<string, Window> | undefined;

  /** @param perMinute events per minute and network; 0: unlimited */
  constructor(private readonly perMinute: number) {}

  /** Counts one event. Returns 0 if it is within the limit, otherwise the whole seconds until the window ends. */
  count(address: string | undefined): number {
    if (this.perMinute === 0) return 0;
    const network = toClientNetwork(address);
    const now = performance.now();
    this.#windows ??= new LRUCache({ max: MAX_NETWORKS });
    let window = this.#windows.get(network);
    if (!window || window.endsAt <= now) {
      window = { endsAt: now + WINDOW_MS, count: 0 };
      this.#windows.set(network, window);
    }
    window.count++;
    return window.count > this.perMinute ? secondsUntil(window, now) : 0;
  }

  /**
   * Returns the whole seconds until another event of the network is within the limit, without counting one. 0: it
   * is within the limit now.
   */
  secondsToWait(address: string | undefined): number {
    if (!this.#windows) return 0;
    const window = this.#windows.get(toClientNetwork(address));
    const now = performance.now();
    return window && window.endsAt > now && window.count >= this.perMinute ? secondsUntil(window, now) : 0;
  }
}

function secondsUntil({ endsAt }: Window, now: number): number {
  return Math.max(1, Math.ceil((endsAt - now) / 1_000));
}
