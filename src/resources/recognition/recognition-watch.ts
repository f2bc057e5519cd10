import { Repeater } from '@repeaterjs/repeater';
import { Bell } from '../../base/bell.js';
import type { Bus } from '../../base/bus.js';
import type { Viewer } from '../accounts/viewer.js';
import type { RecognitionService } from './recognition.service.js';
import { hasEnded, type RecognitionRun, recognitionTopic } from './recognition-run.js';

/** Looked at this often even when nothing rang. */
const BACKSTOP_MS = 5_000;

/** Recognition runs, live: the present state, then each change that is seen, until the run has ended. */
export class RecognitionWatch {
  constructor(
    private readonly recognition: RecognitionService,
    private readonly bus: Bus,
  ) {}

  /** Throws NOT_FOUND before the first change when the run is not the viewer's. */
  async changes(viewer: Viewer, id: number): Promise<AsyncIterable<RecognitionRun>> {
    await this.recognition.get(viewer, id);
    return new Repeater<RecognitionRun>(async (push, stop) => {
      const bell = new Bell();
      let stopped = false;
      const unsubscribe = this.bus.subscribe(recognitionTopic(id), () => bell.ring());
      void stop.then(() => {
        stopped = true;
        bell.ring();
      });
      try {
        let seen = '';
        while (!stopped) {
          bell.listen();
          const run = await this.recognition.get(viewer, id);
          const state = JSON.stringify([run.status, run.progress, run.chunksCount]);
          if (state !== seen) await push(run);
          seen = state;
          if (hasEnded(run)) break;
          await bell.rest(BACKSTOP_MS);
        }
        stop();
      } catch (error) {
        stop(error);
      } finally {
        unsubscribe();
      }
    });
  }
}
