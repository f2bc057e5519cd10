import { availableParallelism } from 'node:os';
import { RateLimitedError } from '../../../platform/errors/errors.js';

/** The client of a password check, used for fair queueing. */
export interface HashingClient {
  /** The client network. The queue is round-robin over networks. */
  network: string;
  /** Whether the account has logged in from this network before. Such clients have priority. */
  isKnown: boolean;
}

interface QueuedHash {
  start: () => void;
  refuse: () => void;
}

/** Networks in round-robin order, each with its queued hashes, oldest first. */
type Line = Map<string, QueuedHash[]>;

const MAX_WAITING = 256;
const MAX_WAITING_OF_NETWORK = 32;
const RETRY_SECONDS = 2;
/** Hashing uses the libuv thread pool (four threads by default), which file access and DNS lookups also need. */
const AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1));

/**
 * A fair queue for password hashing, which occupies a core for tens of milliseconds. The queue is round-robin
 * over client networks, so that a flood from one network delays the others by one hash. Known clients have
 * priority. If the queue is full, the newest entry of the network with the most entries is rejected.
 */
export class HashingQueue {
  readonly #known: Line = new Map();
  readonly #unknown: Line = new Map();
  #running = 0;
  #waiting = 0;

  /** @param atOnce the number of concurrent hashes */
  constructor(private readonly atOnce = AT_ONCE) {}

  /**
   * Runs `work` when a slot is free for the client.
   *
   * @throws RateLimitedError if the queue is full for the network of the client
   */
  async run<T>({ network, isKnown }: HashingClient, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.atOnce) this.#running++;
    else await this.#turn(isKnown ? this.#known : this.#unknown, network);
    try {
      return await work();
    } finally {
      this.#running--;
      this.#startNext();
    }
  }

  #turn(line: Line, network: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiters = line.get(network) ?? [];
      if (waiters.length >= MAX_WAITING_OF_NETWORK || !this.#hasPlaceFor(waiters.length)) return reject(refusal());
      line.set(network, waiters);
      waiters.push({ start: resolve, refuse: () => reject(refusal()) });
      this.#waiting++;
    });
  }

  /**
   * Makes room in a full queue by rejecting an entry of the network with the most entries. Returns false if
   * that is the network of the caller.
   */
  #hasPlaceFor(held: number): boolean {
    if (this.#waiting < MAX_WAITING) return true;
    let longest: QueuedHash[] = [];
    for (const waiters of this.#unknown.values()) if (waiters.length > longest.length) longest = waiters;
    if (longest.length <= held + 1) return false;
    longest.pop()?.refuse();
    this.#waiting--;
    return true;
  }

  #startNext(): void {
    if (this.#running >= this.atOnce) return;
    const line = this.#known.size > 0 ? this.#known : this.#unknown;
    const [first] = line;
    if (!first) return;
    const [network, waiters] = first;
    line.delete(network);
    const waiter = waiters.shift();
    if (waiters.length > 0) line.set(network, waiters);
    this.#waiting--;
    this.#running++;
    waiter?.start();
  }
}

function refusal(): RateLimitedError {
  return new RateLimitedError(RETRY_SECONDS, 'Too many concurrent logins. Try again later.');
}
