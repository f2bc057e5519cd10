import { addDeadLetters } from '../../../durable/dead-letters.js';
import type { Queue } from '../../../durable/queue.js';
import type { Usage } from '../../../engine/ports.js';
import type { Cluster } from '../../../engine/text/cluster.js';
import { type Database, type Sql, whenReachable } from '../../../platform/database/database.js';
import { expression, NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { chargeRun, type RunCharge } from '../../billing/charge-run.sql.js';
import { reasonOf, serviceCostOf } from '../../billing/service-cost.js';
import type { KeywordChanges } from '../keyword-changes.js';
import { writeClusters } from '../keyword-clusters.js';
import type { KeywordTables } from '../keyword-tables.js';
import { KeywordRunStatus, PRESETS } from './keyword-run.js';
import { type ClaimedKeywordRun, KEYWORD_RUN_QUEUE } from './keyword-run-claims.js';

/** Called in the transaction that ends a run, so its writes are committed if and only if the run ends. */
export type KeywordRunEndListener = (runId: number, sql: Sql) => Promise<void>;

/** The outcome of a run. */
export interface KeywordRunEnd {
  /** The keywords found, best first. Empty if `error` is set. */
  keywords: readonly string[];
  /** Null if the run does not cluster its keywords. */
  clusters: readonly Cluster[] | null;
  error: string | null;
  /** Whether the run failed because its workers died too often. It then becomes a dead letter. */
  isWorkerLost?: boolean;
  /** Usage of the model call, if there was one. */
  usage: Usage | undefined;
  /** Ids of the reservations to release: their calls are charged by `usage` or cost nothing. */
  settled: string[];
}

/** Thrown if another worker has claimed the run, or the run was deleted. Nothing is written. */
export class KeywordRunLostError extends Error {
  constructor() {
    super('the lease of the keyword run was lost');
    this.name = 'KeywordRunLostError';
  }
}

/** Writes the outcomes of runs. The fencing token of the claim guards every write. */
export class KeywordRunRecorder {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly changes: KeywordChanges,
    private readonly endListener: KeywordRunEndListener,
  ) {}

  /** Ends the run. Resolves after the commit. Throws a `KeywordRunLostError` if the lease is lost. */
  async end(run: ClaimedKeywordRun, end: KeywordRunEnd, signal: AbortSignal): Promise<void> {
    // Only the database can decide whether the lease still holds.
    await whenReachable(async () => {
      failpoint('keyword-run-record.before');
      await this.database.transaction(sql => this.#write(sql, run, end));
      failpoint('keyword-run-record.after');
    }, signal);
  }

  async #write(sql: Sql, { id, runId, projectId, token }: ClaimedKeywordRun, end: KeywordRunEnd): Promise<void> {
    const tables = queryBuilder<KeywordTables>(sql);
    const row = await tables
      .selectFrom('keyword_run')
      .select(['status', 'preset', 'project_id as projectId', 'user_id as userId'])
      .where('id', '=', runId)
      .where('lease_token', '=', token)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) throw new KeywordRunLostError();
    // An earlier attempt committed, but its response was lost.
    if (row.status !== KeywordRunStatus.RUNNING) return;
    const { error, keywords, usage } = end;
    if (error === null) await this.#writeKeywords(sql, runId, keywords.slice(0, PRESETS[row.preset]), end.clusters);
    await tables
      .updateTable('keyword_run')
      .set({
        status: error === null ? KeywordRunStatus.SUCCEEDED : KeywordRunStatus.FAILED,
        error,
        found: JSON.stringify(keywords),
        cost_usd: expression`cost_usd + ${usage?.costUsd ?? '0'}::numeric`,
        finished_at: NOW,
        updated_at: NOW,
      })
      .where('id', '=', runId)
      .execute();
    await chargeRun(sql, {
      ...{ id, projectId: row.projectId, userId: row.userId, operation: 'keyword-run' },
      charges: usage ? [chargeOf(usage, error)] : [],
      settled: end.settled,
      isEnded: true,
    });
    await this.queue.remove(KEYWORD_RUN_QUEUE, [id], sql);
    if (end.isWorkerLost && error !== null)
      await addDeadLetters(this.queue, 'keyword', [{ id, projectId, subjectId: runId, error }], sql);
    await this.changes.notify(sql, runId);
    await this.endListener(runId, sql);
  }

  async #writeKeywords(
    sql: Sql,
    runId: number,
    keywords: readonly string[],
    clusters: readonly Cluster[] | null,
  ): Promise<void> {
    const rows = await queryBuilder<KeywordTables>(sql)
      .insertInto('keyword')
      .columns(['project_id', 'keywordrun_id', 'name', 'competitor_url', 'rank'])
      .expression(runs =>
        runs
          .selectFrom('keyword_run as r')
          .innerJoin(
            expression<{ name: string; rank: number }>`unnest(${keywords}::text[]) with ordinality`.as<'found'>(
              expression`found(name, rank)`,
            ),
            join => join.onTrue(),
          )
          .select(({ eb }) => [
            ...(['r.project_id', 'r.id', 'found.name', 'r.url'] as const),
            eb('found.rank', '-', 1).as('rank'),
          ])
          .where('r.id', '=', runId),
      )
      .returning(['id', 'rank'])
      .execute();
    if (!clusters) return;
    const ids = rows.toSorted((a, b) => a.rank! - b.rank!).map(({ id }) => id);
    // The preset may have been reduced after the keywords were clustered, so fewer of them are stored.
    const storedClusters = clusters
      .map(({ name, members }) => ({ name, members: members.filter(index => index < ids.length) }))
      .filter(({ members }) => members.length > 0);
    await writeClusters(sql, runId, storedClusters, ids);
  }
}

function chargeOf(usage: Usage, error: string | null): RunCharge {
  return {
    ...{ nodeId: 'keywords', iteration: '', description: 'keywords', usage: [usage] },
    status: error === null ? 'Success' : 'Error',
    amountUsd: usage.costUsd ?? '0',
    reason: reasonOf(usage),
    serviceUsd: serviceCostOf([usage]),
  };
}
