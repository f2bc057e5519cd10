import { availableParallelism } from 'node:os';
import { RateLimitedError } from '../../../platform/errors/errors.js';
import type { SlotGauge } from '../../../platform/metrics/slot-gauge.js';

/** The client of a password check, used for fair queueing. */
export interface HashingClient {
  /** The client network. The queue is round-robin over networks. */
  network: string;
  /** Whether the account has logged in from this network before. Such clients have priority. */
  isKnown: boolean;
}

interface QueuedHash {
  since: number;
  start: () => void;
  refuse: () => void;
}

/** Networks in round-robin order, each with its queued hashes, oldest first. */
type ClientQueue = Map<string, QueuedHash[]>;

const MAX_QUEUED = 256;
const MAX_QUEUED_OF_NETWORK = 32;
const RETRY_SECONDS = 2;
/** At most three, because hashing uses the libuv thread pool (four threads by default), which file access and DNS lookups also need. */
const CONCURRENCY = Math.max(1, Math.min(3, availableParallelism() - 1));

/**
 * A fair queue for password hashing, which occupies a core for tens of milliseconds. The queue is round-robin
 * over client networks, so that a flood from one network delays the others by one hash. Known clients have
 * priority. If the queue is full, the newest entry of the unknown network with the most entries is rejected.
 */
export class HashingQueue {
  readonly #knownClients: ClientQueue = new Map();
  readonly #unknownClients: ClientQueue = new Map();
  #running = 0;
  #queued = 0;

  /**
   * @param gauge counts running and queued hashes
   *
   * @param concurrency the number of concurrent hashes
   */
  constructor(
    private readonly gauge: SlotGauge,
    private readonly concurrency = CONCURRENCY,
  ) {
    gauge.queues.add(this);
  }

  /** The number of queued hashes. */
  get waiting(): number {
    return this.#queued;
  }

  /** Milliseconds that the oldest hash has been queued; 0 if none is. */
  get oldestWaitMs(): number {
    const now = performance.now();
    let since = now;
    for (const clients of [this.#knownClients, this.#unknownClients])
      for (const [oldest] of clients.values()) since = Math.min(since, oldest?.since ?? now);
    return now - since;
  }

  /**
   * Runs `work` when a slot is free for the client.
   *
   * @throws RateLimitedError if the queue is full for the network of the client
   */
  async run<T>({ network, isKnown }: HashingClient, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.concurrency) this.#start();
    else await this.#enqueue(isKnown ? this.#knownClients : this.#unknownClients, network);
    try {
      return await work();
    } finally {
      this.#running--;
      this.gauge.inUse--;
      this.#startNext();
    }
  }

  #enqueue(queue: ClientQueue, network: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const entries = queue.get(network) ?? [];
      if (entries.length >= MAX_QUEUED_OF_NETWORK || !this.#makeSlotFor(entries.length))
        return reject(rateLimitError());
      queue.set(network, entries);
      entries.push({ since: performance.now(), start: resolve, refuse: () => reject(rateLimitError()) });
      this.#queued++;
    });
  }

  /**
   * Frees a slot of a full queue by rejecting an entry of the unknown network with the most entries. Returns false
   * unless that network has more entries than the network of the caller would have.
   */
  #makeSlotFor(ownEntries: number): boolean {
    if (this.#queued < MAX_QUEUED) return true;
    let longest: QueuedHash[] = [];
    for (const entries of this.#unknownClients.values()) if (entries.length > longest.length) longest = entries;
    if (longest.length <= ownEntries + 1) return false;
    this.#leave(longest.pop())?.refuse();
    return true;
  }

  #startNext(): void {
    if (this.#running >= this.concurrency) return;
    const queue = this.#knownClients.size > 0 ? this.#knownClients : this.#unknownClients;
    const [first] = queue;
    if (!first) return;
    const [network, entries] = first;
    queue.delete(network);
    const entry = this.#leave(entries.shift());
    // Set again after its deletion, so that the network is the last in the order of the map.
    if (entries.length > 0) queue.set(network, entries);
    this.#start();
    entry?.start();
  }

  #start(): void {
    this.#running++;
    this.gauge.inUse++;
  }

  #leave(entry: QueuedHash | undefined): QueuedHash | undefined {
    this.#queued--;
    if (entry) this.gauge.recordWait((performance.now() - entry.since) / 1000);
    return entry;
  }
}

function rateLimitError(): RateLimitedError {
  return new RateLimitedError(RETRY_SECONDS, 'Too many concurrent logins. Try again later.');
}
