import { RunWorker, type RunWorkerParts } from '../../../durable/run-worker.js';
import { type ClaimedKeywordRun, deletionTopic, KEYWORD_RUN_QUEUE } from './keyword-run-claims.js';
import type { KeywordRunExecutor } from './keyword-run-executor.js';

/** Maximum number of concurrent runs in one worker process. Each of them may start a child process to read a page. */
const CONCURRENCY = 4;

/** The worker of keyword runs. */
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
      cancelTopic: deletionTopic,
    });
  }
}
