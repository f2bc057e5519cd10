import type { Bus } from '../../platform/messaging/bus.js';
import { changesOf } from '../../platform/messaging/changes.js';
import type { Viewer } from '../accounts/viewer.js';
import type { RecognitionService } from './recognition.service.js';
import { hasEnded, type RecognitionRun, recognitionTopic } from './recognition-run.js';

/** Streams the current state of a recognition run and its changes until the run has ended. */
export class RecognitionChangeStreams {
  constructor(
    private readonly recognition: RecognitionService,
    private readonly bus: Bus,
  ) {}

  /** @throws NotFoundError before the first change when the viewer cannot access the run. */
  async open(viewer: Viewer, id: number): Promise<AsyncIterable<RecognitionRun>> {
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
