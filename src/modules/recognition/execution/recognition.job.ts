import { RunWorker, type RunWorkerParts } from '../../../durable/run-worker.js';
import { type ClaimedRecognition, RECOGNITION_QUEUE } from './recognition-claims.js';
import type { RecognitionExecutor } from './recognition-executor.js';

/** Maximum number of documents that one worker process reads concurrently. */
const CONCURRENCY = 2;

/** Executes recognition runs. */
export class RecognitionJob extends RunWorker<ClaimedRecognition> {
  constructor(
    parts: Pick<RunWorkerParts<ClaimedRecognition>, 'queue' | 'database' | 'bus' | 'claims' | 'log' | 'telemetry'>,
    executor: RecognitionExecutor,
  ) {
    super({
      ...parts,
      kind: 'recognition',
      concurrency: CONCURRENCY,
      queueName: RECOGNITION_QUEUE,
      execute: (run, signal) => executor.execute(run, signal),
      // Nothing notifies this topic: a run is deleted only with its document or project, which the next heartbeat notices.
      cancelTopic: id => `delete-recognition-run:${id}`,
    });
  }
}
