import type { Bus } from '../../platform/messaging/bus.js';
import { changesOf } from '../../platform/messaging/changes.js';
import type { Viewer } from '../accounts/viewer.js';
import { hasEnded, type Rehearsal, rehearsalTopic } from './rehearsal.js';
import type { RehearsalService } from './rehearsal.service.js';

/** Streams the current state of a rehearsal and its changes until it has ended. */
export class RehearsalChangeStreams {
  constructor(
    private readonly rehearsals: RehearsalService,
    private readonly bus: Bus,
  ) {}

  /** @throws NotFoundError before the first change when the viewer cannot access the rehearsal. */
  async open(viewer: Viewer, id: string): Promise<AsyncIterable<Rehearsal>> {
    const read = () => this.rehearsals.get(viewer, id);
    await read();
    return changesOf<Rehearsal>(this.bus, {
      topic: rehearsalTopic(id),
      read,
      signature: ({ state, runsCount, endedCount }) => [state, runsCount, endedCount],
      hasEnded,
    });
  }
}
