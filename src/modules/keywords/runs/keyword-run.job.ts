import { LeasedRuns, type LeasedRunsParts } from '../../../durable/leased-runs.js';
import type { KeywordRunExecutor } from './keyword-run-executor.js';
import { type ClaimedKeywordRun, deletedTopic, KEYWORD_RUN_QUEUE, wakeKeywordRuns } from './keyword-run-leases.js';

/** Runs that one worker process executes at the same time: each may have a page read in a process of its own. */
const CONCURRENCY = 4;

/** Executes keyword runs. */
export class KeywordRunJob extends LeasedRuns<ClaimedKeywordRun> {
  constructor(
    parts: Pick<LeasedRunsParts<ClaimedKeywordRun>, 'queue' | 'database' | 'bus' | 'leases' | 'log' | 'telemetry'>,
    executor: KeywordRunExecutor,
  ) {
    super({
      ...parts,
      kind: 'keyword',
      concurrency: CONCURRENCY,
      queueName: KEYWORD_RUN_QUEUE,
      hasJobs: true,
      wake: (ids, sql) => wakeKeywordRuns(parts.queue, ids, sql),
      execute: (run, signal) => executor.execute(run, signal),
      cancelTopic: deletedTopic,
    });
  }
}
