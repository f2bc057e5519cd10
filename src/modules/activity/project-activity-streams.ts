import { SharedReads } from '../../platform/memory/shared-reads.js';
import type { Bus } from '../../platform/messaging/bus.js';
import { type ChangeSubscriber, streamChanges } from '../../platform/messaging/changes.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import { ActivityFeed } from './activity-feed.js';
import { type ActivityPosition, parseCursor } from './activity-position.js';
import type { ActivityReader } from './activity-reader.js';
import type { ProjectActivity } from './project-activity.type.js';

/** Streams the activity of projects: first the activities in progress or after a cursor, then every change. */
export class ProjectActivityStreams {
  readonly #feeds = new Map<number, ActivityFeed>();
  readonly #rights = new SharedReads<void>();

  constructor(
    private readonly reader: ActivityReader,
    private readonly access: ProjectAccess,
    private readonly bus: Bus,
  ) {}

  /**
   * Opens the stream of a project.
   * @throws NotFoundError if the viewer is not a member of the project
   * @throws InvalidInputError if `after` is not a cursor
   */
  async open(viewer: Viewer, projectId: number, after: string | null): Promise<AsyncIterable<ProjectActivity>> {
    const start = after === null ? null : parseCursor(after);
    await this.access.authorize(viewer, projectId, 'project.read');
    // Set by `subscribe`, which is called before the stream starts.
    let feed: ActivityFeed;
    const subscribe = (notify: () => void) => {
      feed = this.#feedOf(projectId);
      return this.#createUnsubscribe(projectId, feed, feed.subscribe(notify));
    };
    return streamChanges<ProjectActivity>(subscribe, subscriber =>
      this.#stream(subscriber, viewer, projectId, feed, start),
    );
  }

  async #stream(
    { send, nextChange }: ChangeSubscriber<ProjectActivity>,
    viewer: Viewer,
    projectId: number,
    feed: ActivityFeed,
    after: ActivityPosition | null,
  ): Promise<void> {
    let last = after;
    await feed.ready;
    for (;;) {
      // Rows with a later time may become visible during the read, so the cursor must not pass this time.
      const startHorizon = await this.reader.horizon();
      let position = feed.end;
      const pages = last ? this.reader.changedAfter(projectId, last) : this.reader.active(projectId);
      for await (const page of pages) {
        await this.#authorize(viewer, projectId);
        for (const activity of page) {
          if (!(await send(activity))) return;
          last = parseCursor(activity.cursor);
        }
      }
      last ??= { ms: startHorizon, key: '' };
      // Repeats until the subscriber falls too far behind the buffer and must read from the database again.
      for (let batch = feed.since(position); batch !== null; batch = feed.since(position)) {
        if (batch.length === 0 && !(await nextChange())) return;
        if (batch.length > 0) await this.#authorize(viewer, projectId);
        for (const activity of batch) {
          if (!(await send(activity))) return;
          last = parseCursor(activity.cursor);
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
    const viewerKey = viewer.isAdmin ? 'admin' : viewer.userId;
    return this.#rights.read(`${projectId} ${viewerKey}`, () =>
      this.access.authorize(viewer, projectId, 'project.read'),
    );
  }

  #feedOf(projectId: number): ActivityFeed {
    const existing = this.#feeds.get(projectId);
    if (existing && !existing.hasEnded) return existing;
    const created = new ActivityFeed(this.reader, this.bus, projectId);
    this.#feeds.set(projectId, created);
    return created;
  }

  /** Stops the feed when the last subscriber leaves. */
  #createUnsubscribe(projectId: number, feed: ActivityFeed, leave: () => void): () => void {
    return () => {
      leave();
      if (!feed.isIdle) return;
      feed.stop();
      if (this.#feeds.get(projectId) === feed) this.#feeds.delete(projectId);
    };
  }
}
