import { SharedReads } from '../../platform/memory/shared-reads.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { type Follower, follow } from '../../platform/messaging/changes.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import { ActivityFeed } from './activity-feed.js';
import type { ActivityReadings } from './activity-readings.js';
import { type Moment, momentOf } from './moment.js';
import type { ProjectActivity } from './project-activity.type.js';

/** Projects, live: what is under way at first, or what has moved after a cursor; then whatever moves. */
export class ProjectActivityWatch {
  readonly #feeds = new Map<number, ActivityFeed>();
  readonly #rights = new SharedReads<void>();

  constructor(
    private readonly readings: ActivityReadings,
    private readonly access: ProjectAccess,
    private readonly bus: Bus,
  ) {}

  /** Throws NOT_FOUND before the first activity when the project is not the viewer's. */
  async changes(viewer: Viewer, projectId: number, after: string | null): Promise<AsyncIterable<ProjectActivity>> {
    const moment = after === null ? null : momentOf(after);
    await this.access.authorize(viewer, projectId, 'project.read');
    let feed: ActivityFeed;
    const join = (ring: () => void) => {
      feed = this.#feedOf(projectId);
      return this.#leaving(projectId, feed, feed.join(ring));
    };
    return follow<ProjectActivity>(join, follower => this.#tell(follower, viewer, projectId, feed, moment));
  }

  async #tell(
    { tell, news }: Follower<ProjectActivity>,
    viewer: Viewer,
    projectId: number,
    feed: ActivityFeed,
    after: Moment | null,
  ): Promise<void> {
    let last = after;
    await feed.ready;
    for (;;) {
      const begun = await this.readings.horizon();
      let position = feed.end;
      const pages = last ? this.readings.moved(projectId, last) : this.readings.underWay(projectId);
      for await (const page of pages) {
        await this.#authorize(viewer, projectId);
        for (const activity of page) {
          if (!(await tell(activity))) return;
          last = momentOf(activity.cursor);
        }
      }
      last ??= { ms: begun, key: '' };
      // Until it lags so far behind that it has to read again.
      for (let told = feed.since(position); told !== null; told = feed.since(position)) {
        if (told.length === 0 && !(await news())) return;
        if (told.length > 0) await this.#authorize(viewer, projectId);
        for (const activity of told) {
          if (!(await tell(activity))) return;
          last = momentOf(activity.cursor);
          position++;
        }
      }
    }
  }

  /** Whoever has left the project since hears no more; those who ask together are looked up once. */
  #authorize(viewer: Viewer, projectId: number): Promise<void> {
    const who = viewer.isAdmin ? 'admin' : viewer.userId;
    return this.#rights.read(`${projectId} ${who}`, () => this.access.authorize(viewer, projectId, 'project.read'));
  }

  #feedOf(projectId: number): ActivityFeed {
    const known = this.#feeds.get(projectId);
    if (known && !known.isOver) return known;
    const made = new ActivityFeed(this.readings, this.bus, projectId);
    this.#feeds.set(projectId, made);
    return made;
  }

  /** The last to leave takes the feed down. */
  #leaving(projectId: number, feed: ActivityFeed, leave: () => void): () => void {
    return () => {
      leave();
      if (!feed.isIdle) return;
      feed.stop();
      if (this.#feeds.get(projectId) === feed) this.#feeds.delete(projectId);
    };
  }
}
