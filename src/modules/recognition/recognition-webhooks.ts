import type { Sql } from '../../platform/database/database.js';
import { isoSql, type WebhookOutbox } from '../webhooks/webhook-outbox.js';

/** Called in the transaction that ends a run: what it enqueues is sent if and only if the run has ended. */
export type RecognitionEndListener = (runId: number, sql: Sql) => Promise<void>;

const READ_END = `
  select project_id as "projectId", state as status,
         json_build_object(
           'id', id, 'project', project_id, 'document', document_id, 'status', state, 'chunks_count', chunks_count,
           'error', error, 'cost', cost_usd::float8, 'created_at', ${isoSql('created_at')},
           'finished_at', ${isoSql('finished_at')}) as data
    from recognition_run where id = $1`;

/** Tells receivers that a document was read, or cannot be. */
export function recognitionWebhooks(outbox: WebhookOutbox): RecognitionEndListener {
  return async (runId, sql) => {
    const [row] = await sql.query<{ projectId: number; status: string; data: unknown }>(READ_END, [runId]);
    const { projectId, status, data } = row!;
    await outbox.enqueue(sql, [{ projectId, type: `recognition_run.${status}`, data }]);
  };
}
