import { availableParallelism } from 'node:os';
import { RateLimitedError } from '../../../platform/errors/errors.js';

/** Who waits for a password to be hashed. */
export interface HashingClient {
  /** The client network: turns go from network to network. */
  network: string;
  /** Whether the account has logged in from there before: such clients come before all others. */
  isKnown: boolean;
}

interface QueuedHash {
  start: () => void;
  refuse: () => void;
}

/** Networks in the order of their turns, each with its waiters, oldest first. */
type Line = Map<string, QueuedHash[]>;

const MAX_WAITING = 256;
const MAX_WAITING_OF_NETWORK = 32;
const RETRY_SECONDS = 2;
/** Hashing occupies threads that files and name lookups need as well (Node has four of them). */
const AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1));

/**
 * Turns at the hashing of passwords, which takes a core for tens of milliseconds. Client networks take turns, so that a flood
 * from one delays the others by one hash; known clients come first. When all places are taken, the network that has most of
 * them loses its youngest.
 */
export class HashingQueue {
  readonly #known: Line = new Map();
  readonly #unknown: Line = new Map();
  #running = 0;
  #waiting = 0;

  /** @param atOnce hashes at the same time */
  constructor(private readonly atOnce = AT_ONCE) {}

  /**
   * Runs `work` when it is the client's turn.
   *
   * @throws RateLimitedError when the client's network has too many places, or loses this one
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

  /** Makes a place where there is none, at the cost of the network that has most; false when that is the asking one. */
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
  return new RateLimitedError(RETRY_SECONDS, 'Too many people log in at once. Try again in a moment.');
}
