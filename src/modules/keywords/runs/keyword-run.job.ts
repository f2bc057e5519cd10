import { RunWorker, type RunWorkerParts } from '../../../durable/run-worker.js';
import { type ClaimedKeywordRun, deletedTopic, KEYWORD_RUN_QUEUE } from './keyword-run-claims.js';
import type { KeywordRunExecutor } from './keyword-run-executor.js';

/** Runs that one worker process executes at the same time: each may have a page read in a process of its own. */
const CONCURRENCY = 4;

/** Executes keyword runs. */
export class KeywordRunJob extends RunWorker<ClaimedKeywordRun> {
  constructor(
    parts: Pick<RunWorkerParts<ClaimedKeywordRun>, 'queue' | 'database' | 'bus' | 'claims' | 'log' | 'telemetry'>,
    executor: KeywordRunExecutor,
  ) {
    super({
      ...parts,
      kind: 'keyword',
      concurrency: CONCURRENCY,
      queueName: KEYWORD_RUN_QUEUE,
      execute: (run, signal) => executor.execute(run, signal),
      cancelTopic: deletedTopic,
    });
  }
}
