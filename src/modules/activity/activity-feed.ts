import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '../../platform/messaging/bus.js';
import { follow } from '../../platform/messaging/changes.js';
import { activityTopic } from '../projects/activity-topic.js';
import type { ActivityReadings } from './activity-readings.js';
import type { ProjectActivity } from './project-activity.type.js';

/** Between two looks at a project in which something moves all the time. */
const PACE_MS = 50;
/** A look goes back so far behind the last one's horizon: what it meets again has been told. */
const OVERLAP_MS = 1_000;
/** What is kept for subscribers that lag. Who lags more reads again. */
const MOST_KEPT = 1_000;
/** States that are remembered. What is forgotten may be told again. */
const MOST_TOLD = 10_000;

/** What moves in one project, read once for all its subscribers in this process. Positions count what was told. */
export class ActivityFeed {
  /** Resolves when whatever moves from here on will be told. */
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
      // What has moved just before is no news.
      for await (const page of readings.moved(projectId, { ms: from - OVERLAP_MS, key: '' }))
        for (const one of page) this.#isNew(one);
      // Says that it is ready.
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

  /** Where the next thing will be told. */
  get end(): number {
    return this.#end;
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** Whether nobody listens. */
  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  /** What was told from a position on; null when that is not kept any more. Throws what has ended the feed. */
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
