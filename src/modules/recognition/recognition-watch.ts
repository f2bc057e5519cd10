import type { Bus } from '../../platform/messaging/bus.js';
import { changesOf } from '../../platform/messaging/changes.js';
import type { Viewer } from '../accounts/viewer.js';
import type { RecognitionService } from './recognition.service.js';
import { hasEnded, type RecognitionRun, recognitionTopic } from './recognition-run.js';

/** Recognition runs, live: the present state, then each change that is seen, until the run has ended. */
export class RecognitionWatch {
  constructor(
    private readonly recognition: RecognitionService,
    private readonly bus: Bus,
  ) {}

  /** Throws NOT_FOUND before the first change when the run is not the viewer's. */
  async changes(viewer: Viewer, id: number): Promise<AsyncIterable<RecognitionRun>> {
    const read = () => this.recognition.get(viewer, id);
    await read();
    return changesOf<RecognitionRun>(this.bus, {
      topic: recognitionTopic(id),
      read,
      signature: run => [run.status, run.progress, run.chunksCount],
      hasEnded,
    });
  }
}
