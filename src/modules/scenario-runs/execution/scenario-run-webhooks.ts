import type { Sql } from '../../../platform/database/database.js';
import type { Currencies } from '../../../platform/money/money.js';
import { isoSql, type WebhookOutbox } from '../../webhooks/webhook-outbox.js';
import type { ScenarioRunEndListener } from './scenario-run-recorder.js';

/** A result that is longer, in bytes, is left out: the receiver asks for it by the run's id. */
const MAX_RESULT_BYTES = 256 * 1024;

const READ_END = `
  select cost_usd as "costUsd", webhook_url as "ownUrl",
         json_build_object(
           'id', id, 'scenario', scenario_id, 'project', project_id, 'status', status,
           'tokens', json_build_object(
             'prompt', prompt_tokens, 'completion', completion_tokens, 'total', prompt_tokens + completion_tokens),
           'created_at', ${isoSql('created_at')}, 'finished_at', ${isoSql('finished_at')}, 'error', error,
           'final_result', case when not is_result_long then final_result end,
           'final_result_omitted', is_result_long) as data
    from (select *, coalesce(octet_length(final_result) > ${MAX_RESULT_BYTES}, false) as is_result_long
            from scenario_run where id = $1) r`;

interface EndRow {
  costUsd: string;
  ownUrl: string;
  data: Record<string, unknown>;
}

/** Tells receivers that a run has ended. One that a run of a workflow started is part of that and tells nothing. */
export function scenarioRunWebhooks(outbox: WebhookOutbox, currencies: Currencies): ScenarioRunEndListener {
  return async ({ runId, projectId, status, parentRunId }, sql: Sql) => {
    if (parentRunId !== null) return;
    const [row] = await sql.query<EndRow>(READ_END, [runId]);
    const { usd, sr } = currencies.of(row!.costUsd);
    const data = { ...row!.data, cost: { USD: usd, SR: sr } };
    await outbox.enqueue(sql, [{ projectId, type: `scenario_run.${status}`, data, ownUrl: row!.ownUrl }]);
  };
}
