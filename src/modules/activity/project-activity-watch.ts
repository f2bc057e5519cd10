import { SharedReads } from '../../platform/memory/shared-reads.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { type Follower, follow } from '../../platform/messaging/changes.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import { ActivityFeed } from './activity-feed.js';
import type { ActivityReadings } from './activity-readings.js';
import { type Moment, momentOf } from './moment.js';
import type { ProjectActivity } from './project-activity.type.js';

/** Streams the activity of projects: first the activities in progress or after a cursor, then every change. */
export class ProjectActivityWatch {
  readonly #feeds = new Map<number, ActivityFeed>();
  readonly #rights = new SharedReads<void>();

  constructor(
    private readonly readings: ActivityReadings,
    private readonly access: ProjectAccess,
    private readonly bus: Bus,
  ) {}

  /**
   * Opens the stream of a project.
   * @throws NotFoundError if the viewer is not a member of the project
   * @throws InvalidInputError if `after` is not a cursor
   */
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
      // Repeats until the subscriber falls too far behind the buffer and must read from the database again.
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

  /**
   * Checks the right of the viewer again, so that a removed member receives nothing more. Concurrent checks of
   * one viewer share a query.
   */
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

  /** Stops the feed when the last subscriber leaves. */
  #leaving(projectId: number, feed: ActivityFeed, leave: () => void): () => void {
    return () => {
      leave();
      if (!feed.isIdle) return;
      feed.stop();
      if (this.#feeds.get(projectId) === feed) this.#feeds.delete(projectId);
    };
  }
}
