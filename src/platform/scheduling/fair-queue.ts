import type { AbortSignalLike } from '../async/abort-signal.js';
import { LinkedList, ListItem } from '../memory/linked-list.js';
import type { SlotGauge } from '../metrics/slot-gauge.js';

export interface FairQueueOptions {
  /** Maximum slots in use, at least 1. */
  slots: number;
  /** Slots of one project above which waiting callers of other projects come first, at least 1. Default: none. */
  share?: number;
  /** Maximum slots of one project, at least 1. The rest is always available to other projects. Default: all slots. */
  limit?: number;
  /** Maximum waiting callers of one project. Default 10,000. */
  maxWaiting?: number;
  /** Counts used slots and waiting callers. */
  gauge: SlotGauge;
}

const DEFAULT_MAX_WAITING = 10_000;

/** Too many callers of one project are already waiting. */
export class QueueFullError extends Error {
  constructor(readonly maxWaiting: number) {
    super(`${maxWaiting} calls of the project wait already.`);
    this.name = 'QueueFullError';
  }
}

/** The waiting callers of one project, in order of arrival. */
class ProjectQueue extends ListItem {
  readonly waiters = new LinkedList<Waiter>();
  count = 0;

  constructor(readonly projectId: number) {
    super();
  }
}

class Waiter extends ListItem {
  readonly since = performance.now();

  constructor(
    readonly queue: ProjectQueue,
    readonly signal: AbortSignalLike,
    readonly resolve: () => void,
    readonly reject: (reason: unknown) => void,
    readonly leave: (waiter: Waiter) => void,
  ) {
    super();
  }

  /** Abort listener of the caller's signal. */
  handleEvent(): void {
    this.leave(this);
    this.reject(this.signal.reason);
  }
}

/**
 * A queue for slots in which projects take turns. A free slot goes to the project that has waited longest for its turn,
 * and within it to the caller that has waited longest. While its own project holds less than its share, a caller waits
 * for at most one turn of each other project. Every operation takes constant time. Taking a free slot needs no promise.
 */
export class FairQueue {
  readonly #slots: number;
  readonly #share: number;
  readonly #limit: number;
  readonly #maxWaiting: number;
  readonly #gauge: SlotGauge;
  /** Used slots by project. A project without slots has no entry. */
  readonly #usedByProject = new Map<number, number>();
  readonly #queues = new LinkedList<ProjectQueue>();
  readonly #queueOf = new Map<number, ProjectQueue>();
  #free: number;

  constructor({ slots, share = slots, limit = slots, maxWaiting = DEFAULT_MAX_WAITING, gauge }: FairQueueOptions) {
    this.#slots = slots;
    this.#free = slots;
    this.#limit = Math.max(1, limit);
    this.#share = Math.min(this.#limit, Math.max(1, share));
    this.#maxWaiting = maxWaiting;
    this.#gauge = gauge;
  }

  /** The number of used slots. */
  get held(): number {
    return this.#slots - this.#free;
  }

  /** Takes a free slot, which `release` must return. Returns false if the caller has to wait. */
  tryAcquire(projectId: number): boolean {
    const held = this.#usedByProject.get(projectId) ?? 0;
    // If a caller waits while a slot is free, its project is at its limit. No caller is overtaken.
    if (this.#free === 0 || held >= this.#limit) return false;
    this.#take(projectId, held);
    return true;
  }

  /**
   * Waits for a slot, which `release` must return. Rejects with the signal's reason, or with QueueFullError if too many
   * callers of the project are waiting.
   */
  acquire(projectId: number, signal: AbortSignalLike): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    if (this.tryAcquire(projectId)) return Promise.resolve();
    return this.#wait(projectId, signal);
  }

  /** Returns a slot of the project. */
  release(projectId: number): void {
    const held = this.#usedByProject.get(projectId) ?? 0;
    if (held === 0) throw new Error('cannot release a slot: the project has none');
    if (held === 1) this.#usedByProject.delete(projectId);
    else this.#usedByProject.set(projectId, held - 1);
    this.#free++;
    this.#gauge.inUse--;
    this.#grantNext();
  }

  /** Runs `work` in a slot. */
  async run<T>(projectId: number, signal: AbortSignalLike, work: () => Promise<T>): Promise<T> {
    await this.acquire(projectId, signal);
    try {
      return await work();
    } finally {
      this.release(projectId);
    }
  }

  /** The number of waiting callers. */
  get waiting(): number {
    let count = 0;
    for (const queue of this.#queues) count += queue.count;
    return count;
  }

  /** Milliseconds that the oldest caller has been waiting; 0 if none is waiting. */
  get oldestWaitMs(): number {
    let since = performance.now();
    const now = since;
    for (const { waiters } of this.#queues) since = Math.min(since, waiters.first?.since ?? now);
    return now - since;
  }

  #take(projectId: number, held: number): void {
    this.#usedByProject.set(projectId, held + 1);
    this.#free--;
    this.#gauge.inUse++;
  }

  #wait(projectId: number, signal: AbortSignalLike): Promise<void> {
    const queue = this.#queueOf.get(projectId) ?? this.#newQueue(projectId);
    if (queue.count >= this.#maxWaiting) return Promise.reject(new QueueFullError(this.#maxWaiting));
    return new Promise((resolve, reject) => {
      const waiter = new Waiter(queue, signal, resolve, reject, one => this.#remove(one));
      queue.waiters.append(waiter);
      queue.count++;
      signal.addEventListener('abort', waiter, { once: true });
    });
  }

  #newQueue(projectId: number): ProjectQueue {
    const queue = new ProjectQueue(projectId);
    if (this.#queueOf.size === 0) this.#gauge.queues.add(this);
    this.#queueOf.set(projectId, queue);
    this.#queues.append(queue);
    return queue;
  }

  #remove(waiter: Waiter): void {
    const { queue } = waiter;
    queue.waiters.remove(waiter);
    queue.count--;
    this.#gauge.recordWait((performance.now() - waiter.since) / 1000);
    if (queue.count > 0) return;
    this.#queues.remove(queue);
    this.#queueOf.delete(queue.projectId);
    if (this.#queueOf.size === 0) this.#gauge.queues.delete(this);
  }

  #grantNext(): void {
    const queue = this.#nextQueue();
    const waiter = queue?.waiters.first;
    if (!queue || !waiter) return;
    waiter.signal.removeEventListener('abort', waiter);
    this.#remove(waiter);
    if (queue.count > 0) {
      this.#queues.remove(queue);
      this.#queues.append(queue);
    }
    this.#take(queue.projectId, this.#usedByProject.get(queue.projectId) ?? 0);
    waiter.resolve();
  }

  /** Skips at most as many projects as can hold their share at the same time. */
  #nextQueue(): ProjectQueue | undefined {
    let beyondShare: ProjectQueue | undefined;
    for (let queue = this.#queues.first; queue; queue = queue.next as ProjectQueue | undefined) {
      const held = this.#usedByProject.get(queue.projectId) ?? 0;
      if (held < this.#share) return queue;
      if (held < this.#limit) beyondShare ??= queue;
    }
    return beyondShare;
  }
}
