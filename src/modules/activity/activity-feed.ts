import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '../../platform/messaging/bus.js';
import { streamChanges } from '../../platform/messaging/changes.js';
import { activityTopic } from '../projects/activity-topic.js';
import type { ActivityReader } from './activity-reader.js';
import type { ProjectActivity } from './project-activity.type.js';

/** The minimum interval between two reads of a busy project. */
const MIN_INTERVAL_MS = 50;
/**
 * The overlap of successive reads. A read starts this long before the last horizon; activities that were
 * already reported are skipped.
 */
const OVERLAP_MS = 1_000;
/**
 * The number of activities buffered for slow subscribers. A subscriber that falls further behind reads from the
 * database again.
 */
const MAX_BUFFERED = 1_000;
/** The number of reported states that are remembered. Older ones may be reported again. */
const MAX_REMEMBERED = 10_000;

/**
 * The activity of one project, read once for all subscribers in this process. A position is the number of
 * reported activities.
 */
export class ActivityFeed {
  /** Resolves when all later changes will be reported. */
  readonly ready: Promise<void>;
  readonly #listeners = new Set<() => void>();
  readonly #reportedStates = new Map<string, string>();
  readonly #stream: AsyncIterator<ProjectActivity[]>;
  #buffer: ProjectActivity[] = [];
  #end = 0;
  #hasEnded = false;
  #error: unknown = null;

  constructor(reader: ActivityReader, bus: Bus, projectId: number) {
    const changes = streamChanges<ProjectActivity[]>(
      bus.topicSource(activityTopic(projectId)),
      async ({ send, nextChange }) => {
        let from = await reader.horizon();
        // Marks recent activities as reported, so that only later changes are reported.
        for await (const page of reader.changedAfter(projectId, { ms: from - OVERLAP_MS, key: '' }))
          for (const activity of page) this.#isNew(activity);
        // The empty page signals that the feed is ready.
        await send([]);
        while (await nextChange()) {
          const horizon = await reader.horizon();
          for await (const page of reader.changedAfter(projectId, { ms: from - OVERLAP_MS, key: '' }))
            if (!(await send(page.filter(activity => this.#isNew(activity))))) return;
          from = horizon;
          await delay(MIN_INTERVAL_MS);
        }
      },
    );
    this.#stream = changes[Symbol.asyncIterator]();
    this.ready = this.#stream.next().then(
      () => void this.#run(),
      error => this.#fail(error),
    );
  }

  /** The position of the next activity. */
  get end(): number {
    return this.#end;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether the feed has no subscribers. */
  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  /**
   * Returns the activities from a position on. Null: they are no longer buffered. Throws the error that ended
   * the feed.
   */
  since(position: number): ProjectActivity[] | null {
    const count = this.#end - position;
    if (count > this.#buffer.length) return null;
    if (count === 0 && this.#hasEnded) throw this.#error;
    return count === 0 ? [] : this.#buffer.slice(-count);
  }

  /** Calls `notify` after every change. Returns the function that ends the subscription. */
  subscribe(notify: () => void): () => void {
    this.#listeners.add(notify);
    return () => this.#listeners.delete(notify);
  }

  stop(): void {
    this.#hasEnded = true;
    void this.#stream.return?.();
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#stream.next();
        if (done) return;
        if (value.length === 0) continue;
        this.#buffer = [...this.#buffer, ...value].slice(-MAX_BUFFERED);
        this.#end += value.length;
        this.#notifyListeners();
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#error = error;
    this.#hasEnded = true;
    this.#notifyListeners();
  }

  #notifyListeners(): void {
    for (const notify of this.#listeners) notify();
  }

  /** Whether the state of an activity was not reported yet. Remembers it as reported. */
  #isNew({ kind, id, state }: ProjectActivity): boolean {
    const key = `${kind}:${id}`;
    if (this.#reportedStates.get(key) === state) return false;
    this.#reportedStates.delete(key);
    this.#reportedStates.set(key, state);
    if (this.#reportedStates.size > MAX_REMEMBERED)
      this.#reportedStates.delete(this.#reportedStates.keys().next().value!);
    return true;
  }
}
