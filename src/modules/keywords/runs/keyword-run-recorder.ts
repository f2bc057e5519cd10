import { setTimeout } from 'node:timers/promises';
import type { Queue } from '../../../durable/queue.js';
import type { Usage } from '../../../engine/ports.js';
import type { Cluster } from '../../../engine/text/cluster.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import { failpoint } from '../../../platform/testing/failpoint.js';
import { freedColumns, RAISE_TOTALS } from '../../billing/raise-totals.sql.js';
import { serviceCostOf } from '../../billing/service-cost.js';
import type { KeywordChanges } from '../keyword-changes.js';
import { writeClusters } from '../keyword-clusters.js';
import { PRESETS } from './keyword-run.js';
import { type ClaimedKeywordRun, KEYWORD_RUN_QUEUE } from './keyword-run-leases.js';

/** Called in the transaction that ends a run: what it enqueues is sent if and only if the run has ended. */
export type KeywordRunEndListener = (runId: number, sql: Sql) => Promise<void>;

/** How a run ends. */
export interface KeywordRunEnd {
  /** Empty when there is an error. */
  keywords: readonly string[];
  /** Null: they are not to be clustered. */
  clusters: readonly Cluster[] | null;
  error: string | null;
  /** Of the model that was asked. */
  usage: Usage | undefined;
  /** Reservations that the usage settles, and those of calls that cost nothing. */
  settled: string[];
}

/** Another worker has the run, or it is gone: nothing is written. */
export class KeywordRunLostError extends Error {
  constructor() {
    super('the lease of the keyword run was lost');
    this.name = 'KeywordRunLostError';
  }
}

// What is left over of its reservations is dropped with the run's end.
const END = `
  with ended as (
    update keyword_run
       set status = $2, error = $3, found = $4::json, cost_usd = cost_usd + $5::numeric,
           finished_at = now(), updated_at = now()
     where id = $1
    returning id, billing_id, project_id, user_id),
  ledger as (
    insert into billing_transaction
      (project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage, service_usd)
    select project_id, billing_id, 'keywords', '', user_id, 'keyword-run', case when $3::text is null then 'Success' else 'Error' end,
           $5::numeric, $6, 'keywords', $7::json, $9::numeric
      from ended where $7::json is not null
    on conflict (run_id, ledger_key(node_id, iteration, operation)) do nothing
    returning project_id, user_id, amount_usd, service_usd),
  freed as (
    delete from budget_reservation b using ended e
     where b.holder = e.billing_id or b.id = any($8::uuid[])
    returning ${freedColumns('b')}),
  ${RAISE_TOTALS}
  select 1`;

const KEYWORDS = `
  insert into keyword (project_id, keywordrun_id, name, competitor_url, rank)
  select r.project_id, r.id, f.name, r.url, f.rank::int - 1
    from keyword_run r, unnest($2::text[]) with ordinality as f(name, rank) where r.id = $1
  returning id, rank`;

const RETRY_MS = 200;

/** Writes how runs end, and only for as long as their leases are ours. */
export class KeywordRunRecorder {
  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly changes: KeywordChanges,
    private readonly whenEnded: KeywordRunEndListener,
  ) {}

  /** Resolves after the commit. Throws a KeywordRunLostError when the run is no longer ours. */
  async end(run: ClaimedKeywordRun, end: KeywordRunEnd, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        failpoint('keyword-run-record.before');
        await this.database.transaction(sql => this.#write(sql, run, end));
        failpoint('keyword-run-record.after');
        return;
      } catch (error) {
        // While the database is away nothing can be decided; the lease runs out by its clock, not by ours.
        if (!isRetryableDatabaseError(error) || signal.aborted) throw error;
        await setTimeout(RETRY_MS);
      }
    }
  }

  async #write(sql: Sql, { id, runId, token }: ClaimedKeywordRun, end: KeywordRunEnd): Promise<void> {
    const [held] = await sql.query<{ status: string; preset: number }>(
      'select status, preset from keyword_run where id = $1 and lease_token = $2 for no key update',
      [runId, token],
    );
    if (!held) throw new KeywordRunLostError();
    // The answer to an earlier commit was lost on the way.
    if (held.status !== 'in_progress') return;
    const { error, keywords, usage } = end;
    if (error === null) await this.#writeKeywords(sql, runId, keywords.slice(0, PRESETS[held.preset]), end.clusters);
    const unpriced = usage && usage.costUsd === null;
    await sql.query(END, [
      runId,
      error === null ? 'finished' : 'error',
      error,
      JSON.stringify(keywords),
      usage?.costUsd ?? '0',
      unpriced ? `The price of ${usage.model} is unknown: charged nothing.` : '',
      usage ? JSON.stringify([usage]) : null,
      end.settled,
      serviceCostOf(usage ? [usage] : []) ?? null,
    ]);
    await this.queue.complete(KEYWORD_RUN_QUEUE, [id], sql);
    await this.changes.tell(sql, runId);
    await this.whenEnded(runId, sql);
  }

  async #writeKeywords(
    sql: Sql,
    runId: number,
    keywords: readonly string[],
    clusters: readonly Cluster[] | null,
  ): Promise<void> {
    const rows = await sql.query<{ id: number; rank: number }>(KEYWORDS, [runId, keywords]);
    if (!clusters) return;
    const ids = rows.toSorted((a, b) => a.rank - b.rank).map(({ id }) => id);
    const known = clusters
      .map(({ name, members }) => ({ name, members: members.filter(at => at < ids.length) }))
      .filter(({ members }) => members.length > 0);
    await writeClusters(sql, runId, known, ids);
  }
}
