import type { Sql } from '../../../platform/database/database.js';
import { queryBuilder } from '../../../platform/database/typed-queries.js';
import type { Currencies } from '../../../platform/money/money.js';
import type { WebhookOutbox } from '../../webhooks/webhook-outbox.js';
import { toTokens } from '../contents/run-outcomes.js';
import type { ScenarioRunTables } from '../scenario-run-tables.js';
import type { ScenarioRunEndListener } from './scenario-run-recorder.js';

/** Limit in bytes. A longer result is omitted, and the receiver can query it by the id of the run. */
const MAX_RESULT_BYTES = 256 * 1024;

/** Enqueues a webhook event when a run ends. Runs that a workflow run started belong to it and send no event. */
export function scenarioRunWebhooks(outbox: WebhookOutbox, currencies: Currencies): ScenarioRunEndListener {
  return async ({ runId, projectId, status, parentRunId }, sql: Sql) => {
    if (parentRunId !== null) return;
    const { costUsd, ownUrl, prompt, completion, created_at, finished_at, error, isLong, final_result, ...run } =
      await readEnd(sql, runId);
    const { usd, sr } = currencies.of(costUsd);
    const data = {
      ...run,
      tokens: toTokens({ promptTokens: prompt, completionTokens: completion }),
      ...{ created_at, finished_at, error, final_result, final_result_omitted: isLong },
      cost: { USD: usd, SR: sr },
    };
    await outbox.enqueue(sql, [{ projectId, type: `scenario_run.${status}`, data, ownUrl }]);
  };
}

function readEnd(sql: Sql, runId: number) {
  return queryBuilder<ScenarioRunTables>(sql)
    .selectFrom('scenario_run')
    .select(['id', 'scenario_id as scenario', 'project_id as project', 'status', 'cost_usd as costUsd'])
    .select(['webhook_url as ownUrl', 'prompt_tokens as prompt', 'completion_tokens as completion'])
    .select(['created_at', 'finished_at', 'error'])
    .select(({ case: when, eb, fn, lit }) => {
      const isLong = eb(fn.coalesce(fn<number>('octet_length', ['final_result']), lit(0)), '>', MAX_RESULT_BYTES);
      return [
        isLong.as('isLong'),
        when().when(isLong).then(null).else(eb.ref('final_result')).end().as('final_result'),
      ];
    })
    .where('id', '=', runId)
    .executeTakeFirstOrThrow();
}
