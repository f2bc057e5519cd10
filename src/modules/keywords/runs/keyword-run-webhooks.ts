import { queryBuilder, rowCount } from '../../../platform/database/typed-queries.js';
import type { Currencies } from '../../../platform/money/money.js';
import type { WebhookOutbox } from '../../webhooks/webhook-outbox.js';
import type { KeywordTables } from '../keyword-tables.js';
import type { KeywordRunEndListener } from './keyword-run-recorder.js';

/** Enqueues a webhook event when a keyword run ends: its state, without the keywords. */
export function keywordRunWebhooks(outbox: WebhookOutbox, currencies: Currencies): KeywordRunEndListener {
  return async (runId, sql) => {
    const { costUsd, ...run } = await queryBuilder<KeywordTables>(sql)
      .selectFrom('keyword_run as r')
      .select(['r.id', 'r.project_id as project', 'r.topic', 'r.url', 'r.preset', 'r.status'])
      .select(({ selectFrom }) =>
        selectFrom('keyword')
          .select(rowCount().as('count'))
          .whereRef('keyword.keywordrun_id', '=', 'r.id')
          .as('keywords_count'),
      )
      .select(['r.error', 'r.created_at', 'r.finished_at', 'r.cost_usd as costUsd'])
      .where('r.id', '=', runId)
      .executeTakeFirstOrThrow();
    const { usd, sr } = currencies.of(costUsd);
    const data = { ...run, cost: { USD: usd, SR: sr } };
    await outbox.enqueue(sql, [
      { projectId: run.project, type: `keyword_run.${run.status as 'finished' | 'error'}`, data },
    ]);
  };
}
