import type { Bus } from '../../../platform/messaging/bus.js';
import { changesOf } from '../../../platform/messaging/changes.js';
import type { Viewer } from '../../accounts/viewer.js';
import { hasEnded, type KeywordRun, keywordRunTopic } from './keyword-run.js';
import type { KeywordRunService } from './keyword-run.service.js';

/** Subscriptions to keyword runs: the current state, then the state after each change, until the run ends. */
export class KeywordRunChangeStreams {
  constructor(
    private readonly runs: KeywordRunService,
    private readonly bus: Bus,
  ) {}

  /** Subscribes to a run. Throws NOT_FOUND if the viewer cannot access it. */
  async open(viewer: Viewer, id: number): Promise<AsyncIterable<KeywordRun>> {
    const read = () => this.runs.get(viewer, id);
    await read();
    return changesOf<KeywordRun>(this.bus, {
      topic: keywordRunTopic(id),
      read,
      signature: run => [run.status, run.preset, run.keywordsCount],
      hasEnded,
    });
  }
}
