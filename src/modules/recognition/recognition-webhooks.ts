import type { Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import type { WebhookOutbox } from '../webhooks/webhook-outbox.js';
import type { RecognitionTables } from './recognition-tables.js';

/** Called in the transaction that ends a run, so that its deliveries exist only if the run has ended. */
export type RecognitionEndListener = (runId: number, sql: Sql) => Promise<void>;

/** Enqueues a webhook event when a recognition run has finished or failed. */
export function recognitionWebhooks(outbox: WebhookOutbox): RecognitionEndListener {
  return async (runId, sql) => {
    const { project, status, cost, ...run } = await queryBuilder<RecognitionTables>(sql)
      .selectFrom('recognition_run')
      .select(['id', 'project_id as project', 'document_id as document', 'state as status', 'chunks_count', 'error'])
      .select(['cost_usd as cost', 'created_at', 'finished_at'])
      .where('id', '=', runId)
      .executeTakeFirstOrThrow();
    const data = { ...run, project, status, cost: Number(cost) };
    await outbox.enqueue(sql, [
      { projectId: project, type: `recognition_run.${status as 'finished' | 'error'}`, data },
    ]);
  };
}
