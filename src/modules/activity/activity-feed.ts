import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '../../platform/messaging/bus.js';
import { follow } from '../../platform/messaging/changes.js';
import { activityTopic } from '../projects/activity-topic.js';
import type { ActivityReadings } from './activity-readings.js';
import type { ProjectActivity } from './project-activity.type.js';

/** The minimum interval between two reads of a busy project. */
const PACE_MS = 50;
/**
 * The overlap of successive reads. A read starts this long before the last horizon; activities that were
 * already reported are skipped.
 */
const OVERLAP_MS = 1_000;
/**
 * The number of activities buffered for slow subscribers. A subscriber that falls further behind reads from the
 * database again.
 */
const MOST_KEPT = 1_000;
/** The number of reported states that are remembered. Older ones may be reported again. */
const MOST_TOLD = 10_000;

/**
 * The activity of one project, read once for all subscribers in this process. A position is the number of
 * reported activities.
 */
export class ActivityFeed {
  /** Resolves when all later changes will be reported. */
  readonly ready: Promise<void>;
  readonly #listeners = new Set<() => void>();
  readonly #told = new Map<string, string>();
  readonly #stream: AsyncIterator<ProjectActivity[]>;
  #kept: ProjectActivity[] = [];
  #end = 0;
  #over = false;
  #error: unknown = null;

  constructor(readings: ActivityReadings, bus: Bus, projectId: number) {
    const changes = follow<ProjectActivity[]>(bus.watching(activityTopic(projectId)), async ({ tell, news }) => {
      let from = await readings.horizon();
      // Marks recent activities as reported, so that only later changes are reported.
      for await (const page of readings.moved(projectId, { ms: from - OVERLAP_MS, key: '' }))
        for (const one of page) this.#isNew(one);
      // The empty page signals that the feed is ready.
      await tell([]);
      while (await news()) {
        const horizon = await readings.horizon();
        for await (const page of readings.moved(projectId, { ms: from - OVERLAP_MS, key: '' }))
          if (!(await tell(page.filter(one => this.#isNew(one))))) return;
        from = horizon;
        await delay(PACE_MS);
      }
    });
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

  get isOver(): boolean {
    return this.#over;
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
    const back = this.#end - position;
    if (back > this.#kept.length) return null;
    if (back === 0 && this.#over) throw this.#error;
    return back === 0 ? [] : this.#kept.slice(-back);
  }

  join(ring: () => void): () => void {
    this.#listeners.add(ring);
    return () => this.#listeners.delete(ring);
  }

  stop(): void {
    this.#over = true;
    void this.#stream.return?.();
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#stream.next();
        if (done) return;
        if (value.length === 0) continue;
        this.#kept = [...this.#kept, ...value].slice(-MOST_KEPT);
        this.#end += value.length;
        this.#ring();
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#error = error;
    this.#over = true;
    this.#ring();
  }

  #ring(): void {
    for (const ring of this.#listeners) ring();
  }

  #isNew({ kind, id, state }: ProjectActivity): boolean {
    const key = `${kind}:${id}`;
    if (this.#told.get(key) === state) return false;
    this.#told.delete(key);
    this.#told.set(key, state);
    if (this.#told.size > MOST_TOLD) this.#told.delete(this.#told.keys().next().value!);
    return true;
  }
}
