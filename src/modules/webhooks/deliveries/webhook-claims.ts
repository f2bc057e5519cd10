import { addDeadLetters, type NewDeadLetter } from '../../../durable/dead-letters.js';
import type { Queue } from '../../../durable/queue.js';
import type { Database, Sql } from '../../../platform/database/database.js';
import { isRetryableDatabaseError } from '../../../platform/database/database-errors.js';
import { keyedQuery, type Placeholder } from '../../../platform/database/prepared-queries.js';
import { expression, NOW, type QueryCreator } from '../../../platform/database/typed-queries.js';
import { Batcher } from '../../../platform/sql/batcher.js';
import { disableWebhook } from '../../projects/disable-webhook.js';
import type { WebhookOutbox } from '../webhook-outbox.js';
import type { WebhookTables } from '../webhook-tables.js';
import type { RetrySchedule } from './retry-schedule.js';
import type { Attempt, ClaimedDelivery } from './webhook-attempt.js';
import { type AttemptOutcome, claimDeliveries, recordAttempts } from './webhook-claims.sql.js';

/** Maximum number of attempts per statement, and of concurrent statements. */
const SETTLED_AT_ONCE = 100;
const SETTLING_LANES = 2;

interface DeliveryOutcome {
  delivery: ClaimedDelivery;
  attempt: Attempt;
}

const PROJECTS_WITH_DUE_DELIVERIES = keyedQuery(
  'projects-with-due-webhooks',
  (tables: QueryCreator<WebhookTables>, value: Placeholder<{ projectIds: readonly number[] }>) =>
    tables
      .selectFrom('webhook_delivery')
      .select('project_id as projectId')
      .distinct()
      .where('project_id', '=', expression<number>`any(${value('projectIds')}::int[])`)
      .where('state', '=', expression.lit('pending'))
      .where('next_at', '<=', NOW),
);

/** The ids among `projectIds` that have due deliveries. */
export async function findProjectsWithDueDeliveries(sql: Sql, projectIds: readonly number[]): Promise<number[]> {
  const rows = await PROJECTS_WITH_DUE_DELIVERIES(sql, { projectIds });
  return rows.map(row => row.projectId);
}

/**
 * Claims due deliveries and writes the outcomes of attempts. All times come from the clock of the database. Only the process
 * that has the job of a project claims its deliveries.
 */
export class WebhookClaims {
  /** Writes outcomes in batches. An outcome that the database rejects must not fail the rest of its batch. */
  readonly #settling = new Batcher<DeliveryOutcome, undefined>(outcomes => this.#settle(outcomes), {
    concurrency: SETTLING_LANES,
    maxBatch: SETTLED_AT_ONCE,
    isolate: error => !isRetryableDatabaseError(error),
  });

  constructor(
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly outbox: WebhookOutbox,
    private readonly schedule: RetrySchedule,
  ) {}

  /** Claims due deliveries, up to `limits` per project id, except the active ones. */
  claim(limits: ReadonlyMap<number, number>, active: Iterable<string> = []): Promise<ClaimedDelivery[]> {
    return claimDeliveries(this.database, limits, [...active]);
  }

  /** Writes the outcome of an attempt and enqueues the next attempt, if there is one. */
  settle(delivery: ClaimedDelivery, attempt: Attempt): Promise<void> {
    return this.#settling.add({ delivery, attempt });
  }

  async #settle(outcomes: DeliveryOutcome[]): Promise<undefined[]> {
    const rows = outcomes.map(outcome => this.#rowOf(outcome));
    const byId = new Map(outcomes.map(outcome => [outcome.delivery.id, outcome]));
    await this.database.transaction(async sql => {
      const written = await recordAttempts(sql, rows);
      const retries = new Map<string, { projectId: number; at: Date }>();
      for (const { id, nextAt } of written) {
        const { delivery, attempt } = byId.get(id)!;
        const { projectId } = delivery;
        // Retries of a project that are due within the same second share one job, at the time of the last one.
        const key = nextAt ? `${projectId} ${Math.floor(nextAt.getTime() / 1000)}` : '';
        const scheduled = retries.get(key);
        if (nextAt && !(scheduled && scheduled.at >= nextAt)) retries.set(key, { projectId, at: nextAt });
        if (attempt.verdict === 'gone' && delivery.isToProject) await disableWebhook(sql, delivery);
      }
      const letters = written.flatMap(({ id, state }) => (state === 'failed' ? [deadLetterOf(byId.get(id)!)] : []));
      await addDeadLetters(this.queue, 'webhook', letters, sql);
      for (const { projectId, at } of retries.values()) await this.outbox.wakeLater(projectId, sql, at);
    });
    return outcomes.map(() => undefined);
  }

  #rowOf({ delivery, attempt }: DeliveryOutcome): AttemptOutcome {
    const { id, token, attempt: number } = delivery;
    const { at, status, error, durationMs, verdict, retryAfterSeconds } = attempt;
    const failures = verdict === 'delivered' ? delivery.failures : delivery.failures + 1;
    const delay = verdict === 'retry' ? this.schedule.after(failures, retryAfterSeconds) : null;
    const state = verdict === 'delivered' ? 'delivered' : delay === null ? 'failed' : 'pending';
    return { id, token, number, state, failures, delay: delay ?? 0, at, status, error, durationMs };
  }
}

/** The dead letter of a delivery that failed permanently. */
function deadLetterOf({ delivery, attempt }: DeliveryOutcome): NewDeadLetter {
  const { id, projectId } = delivery;
  return { id, projectId, subjectId: id, error: attempt.error ?? '' };
}
