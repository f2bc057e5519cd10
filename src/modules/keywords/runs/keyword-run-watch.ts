import type { Bus } from '../../../platform/messaging/bus.js';
import { changesOf } from '../../../platform/messaging/changes.js';
import type { Viewer } from '../../accounts/viewer.js';
import { hasEnded, type KeywordRun, keywordRunTopic } from './keyword-run.js';
import type { KeywordRunService } from './keyword-run.service.js';

/** Keyword runs, live: the present state, then each change that is seen, until the run has ended. */
export class KeywordRunWatch {
  constructor(
    private readonly runs: KeywordRunService,
    private readonly bus: Bus,
  ) {}

  /** Throws NOT_FOUND before the first change when the run is not the viewer's. */
  async changes(viewer: Viewer, id: number): Promise<AsyncIterable<KeywordRun>> {
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
