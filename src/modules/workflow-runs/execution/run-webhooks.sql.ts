import { storedLabels } from '../../../engine/status.js';
import { isoSql } from '../../webhooks/webhook-outbox.sql.js';

/**
 * The maximum JSON bytes of an output in a webhook. A longer output is omitted; receivers can query it by the run
 * id.
 */
const MAX_OUTPUT_BYTES = 256 * 1024;

const LABELS = Object.entries(storedLabels).map(([state, label]) => `when '${state}' then '${label}'`);

/**
 * Returns SQL for the webhook events of the ended runs in `runs`, whose secrets are masked. A null `result` follows from the last
 * of the `events`. `srPerUsd` is the placeholder of SR_PER_USD. `row_to_json` writes no spaces, unlike `json_build_object`: each run stores this data. A run that
 * another run or a scenario run started is a part of it and has no event.
 */
export function endedRunsSql(runs: string, srPerUsd: string): string {
  return `
    select h.project_id, null::text as own_url, 'workflow_run.' || h.end_state as type, false as is_asked_for,
           (select row_to_json(e) from (select
             h.id, h.workflow_id, h.project_id, case h.end_state ${LABELS.join(' ')} end as status,
             (select row_to_json(c) from (select
               trim_scale(h.cost_usd)::text as "USD", trim_scale(h.cost_usd * ${srPerUsd}::numeric)::text as "SR",
               (select row_to_json(x) from (select trim_scale(h.cost_usd) as cost, trim_scale(h.commission_usd) as commission) x)
                 as external_cost_usd) c) as cost,
             ${isoSql('h.created_at')} as created_at, ${isoSql('h.run_finished_at')} as run_finished_at,
             case when not h.is_output_long then h.outcome -> 'output' end as output,
             h.is_output_long as output_omitted) e) as data
      from (select *, coalesce(octet_length((outcome -> 'output')::text) > ${MAX_OUTPUT_BYTES}, false) as is_output_long
              from (select *, coalesce(result, events -> -1) as outcome from ${runs}) r) h
     where h.end_state is not null and h.parent_run_id is null and h.scenario_run_id is null`;
}
