import { RunWorker, type RunWorkerParts } from '../../../durable/run-worker.js';
import { rehearsalCancelTopic } from '../rehearsal.js';
import { type ClaimedRehearsal, REHEARSAL_QUEUE } from './rehearsal-claims.js';
import type { RehearsalExecutor } from './rehearsal-executor.js';

/** Maximum number of rehearsals that one worker process executes concurrently. */
const CONCURRENCY = 2;

/** Executes rehearsals. */
export class RehearsalJob extends RunWorker<ClaimedRehearsal> {
  constructor(
    parts: Pick<RunWorkerParts<ClaimedRehearsal>, 'queue' | 'database' | 'bus' | 'claims' | 'log' | 'telemetry'>,
    executor: RehearsalExecutor,
  ) {
    super({
      ...parts,
      kind: 'rehearsal',
      concurrency: CONCURRENCY,
      queueName: REHEARSAL_QUEUE,
      execute: (rehearsal, signal) => executor.execute(rehearsal, signal),
      cancelTopic: rehearsalCancelTopic,
    });
  }
}
