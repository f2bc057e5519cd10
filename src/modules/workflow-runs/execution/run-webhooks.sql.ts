import { storedLabels } from '../../../engine/status.js';
import { isoSql } from '../../webhooks/webhook-outbox.sql.js';

/**
 * The maximum JSON bytes of an output in a webhook. A longer output is omitted; receivers can query it by the run
 * id.
 */
const MAX_OUTPUT_BYTES = 256 * 1024;

const LABELS = Object.entries(storedLabels).map(([state, label]) => `when '${state}' then '${label}'`);

/**
 * Returns SQL for the webhook events of the ended runs in `runs`, whose secrets are masked. `srPerUsd` is the
 * placeholder of the rate. A sub-run is part of its parent run and has no event.
 */
export function endedRunsSql(runs: string, srPerUsd: string): string {
  return `
    select h.project_id, null::text as own_url, 'workflow_run.' || h.end_state as type, false as is_asked_for,
           json_build_object(
             'id', h.id, 'workflow_id', h.workflow_id, 'project_id', h.project_id,
             'status', case h.end_state ${LABELS.join(' ')} end,
             'cost', json_build_object(
               'USD', trim_scale(h.cost_usd)::text, 'SR', trim_scale(h.cost_usd * ${srPerUsd}::numeric)::text,
               'external_cost_usd', json_build_object(
                 'cost', trim_scale(h.cost_usd), 'commission', trim_scale(h.commission_usd))),
             'created_at', ${isoSql('h.created_at')}, 'run_finished_at', ${isoSql('h.run_finished_at')},
             'output', case when not h.is_output_long then h.result->'output' end,
             'output_omitted', h.is_output_long) as data
      from (select *, coalesce(octet_length((result->'output')::text) > ${MAX_OUTPUT_BYTES}, false) as is_output_long from ${runs}) h
     where h.end_state is not null and h.parent_run_id is null`;
}
