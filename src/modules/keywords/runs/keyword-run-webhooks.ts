import type { Currencies } from '../../../platform/money/money.js';
import { isoSql, type WebhookOutbox } from '../../webhooks/webhook-outbox.js';
import type { KeywordRunEndListener } from './keyword-run-recorder.js';

const READ_END = `
  select project_id as "projectId", status, cost_usd as "costUsd",
         json_build_object(
           'id', id, 'project', project_id, 'topic', topic, 'url', url, 'preset', preset, 'status', status,
           'keywords_count', (select count(*) from keyword where keywordrun_id = r.id), 'error', error,
           'created_at', ${isoSql('created_at')}, 'finished_at', ${isoSql('finished_at')}) as data
    from keyword_run r where id = $1`;

interface EndRow {
  projectId: number;
  status: string;
  costUsd: string;
  data: Record<string, unknown>;
}

/** Tells receivers that keywords were found, or why none were. */
export function keywordRunWebhooks(outbox: WebhookOutbox, currencies: Currencies): KeywordRunEndListener {
  return async (runId, sql) => {
    const [row] = await sql.query<EndRow>(READ_END, [runId]);
    const { projectId, status, costUsd, data } = row!;
    const { usd, sr } = currencies.of(costUsd);
    await outbox.enqueue(sql, [
      { projectId, type: `keyword_run.${status}`, data: { ...data, cost: { USD: usd, SR: sr } } },
    ]);
  };
}
