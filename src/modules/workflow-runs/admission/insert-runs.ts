import { nextTokenSql } from '../../../durable/lease-token.js';
import { deliveriesSql } from '../../webhooks/webhook-outbox.js';
import { marketTermsJoin } from '../../workflows/market-terms.js';
import { endsToTellSql } from '../execution/run-webhooks.js';
import { raiseFiguresSql } from '../journal/run-figures.js';
import { LEDGER_COLUMNS } from '../journal/run-ledger.js';

/** What became of a run that was inserted. */
export interface InsertedRun {
  id: string;
  token: number;
  createdAt: Date;
  marketWorkflowId: number | null;
  runFee: number | null;
  /** Projects that have webhooks to tell; the same in each row. */
  toWake: number[] | null;
}

/**
 * $1: runs as JSON (`NewRun`). A run whose id is taken is left out, and with it all that belongs to it. In the order of the ids:
 * two batches that share some never wait for each other in a circle. References are checked at the end of the statement. A run
 * of a copied graph keeps the copy's terms of this moment. One in state `running` is claimed by the process that writes it, and
 * has what it did up to its first call. $2: what is notified.
 */
export const INSERT_RUNS = insertSql({ ends: '', deliveries: '', toWake: 'null::int[]' });

/**
 * The same with runs among them that were executed already (`ledger`): they come with all that their ends bring. Their nodes
 * cost nothing, so no totals move. $3: SR per US dollar. Costs 0.2 ms more, whoever is among them.
 */
export const INSERT_ENDED_RUNS = insertSql({
  ends: `ended as (select *, state as end_state from written where ledger is not null and state in ('succeeded', 'failed')),
  ${raiseFiguresSql('ended')},`,
  deliveries: `ends_to_tell as (${endsToTellSql('ended', '$3')}),
  ${deliveriesSql('ends_to_tell')},`,
  toWake: '(select array_agg(distinct project_id) from deliveries)',
});

function insertSql({ ends, deliveries, toWake }: Record<'ends' | 'deliveries' | 'toWake', string>): string {
  return `
  with given as (
    select * from json_to_recordset($1::json) as g(
      id uuid, "projectId" int, "workflowId" int, "revisionId" int, "userId" int, "parentRunId" uuid, ancestry int[],
      "forkedFromId" uuid, state text, input json, "sealedInput" text, result json, graph json,
      journal json, ledger json, traceparent text)),
  accepted as (
    insert into workflow_run
      (id, project_id, workflow_id, revision_id, user_id, parent_run_id, ancestry, forked_from_id, state,
       queued_at, run_started_at, run_finished_at, lease_token, attempts,
       graph_digest, sequence, market_workflow_id, run_fee, free_runs, traceparent)
    select g.id, g."projectId", g."workflowId", g."revisionId", g."userId", g."parentRunId", coalesce(g.ancestry, '{}'),
           g."forkedFromId", g.state,
           case when g.state in ('queued', 'running') or g.ledger is not null then now() end,
           case when g.state = 'running' or g.ledger is not null then now() end,
           case when g.state in ('succeeded', 'failed') then now() end,
           case when g.state = 'running' then ${nextTokenSql('0::bigint')} when g.ledger is not null then 1 else 0 end,
           case when g.state = 'running' or g.ledger is not null then 1 else 0 end,
           decode(g.graph->>'digest', 'hex'), coalesce(json_array_length(g.journal->'events'), 0),
           m.id, case when m.id is not null then t.run_fee end, case when m.id is not null then t.free_runs end,
           g.traceparent
      from given g
      left join workflow w on w.id = g."workflowId"
      left join workflow_revision v on v.id = g."revisionId"
      ${marketTermsJoin('w', 'v', 'g."projectId"', `(g.graph->>'marketTermsId')::int`)}
     order by g.id
    on conflict (id) do nothing
    returning *),
  written as materialized (
    select a.*, g.input, g."sealedInput", g.result, g.graph, g.journal, g.ledger
      from accepted a join given g on g.id = a.id),
  revisions as (
    insert into workflow_revision (id, project_id, workflow_id, data, sealed_secrets, market_terms_id)
    select revision_id, project_id, null, graph->'data', graph->>'sealedSecrets', (graph->>'marketTermsId')::int from written where graph is not null),
  journals as (
    insert into workflow_run_journal (run_id, run_created_at, first_sequence, last_sequence, events, sealed_contents)
    select id, created_at, 1, sequence, journal->'events', journal->>'sealedContents' from written where sequence > 0),
  payloads as (
    insert into workflow_run_payload (run_id, run_created_at, input, sealed_input, result)
    select id, created_at, input, "sealedInput", result from written),
  ${ends}
  ledger as (
    insert into billing_transaction
      (project_id, run_id, node_id, iteration, user_id, operation, status, amount_usd, reason, description, usage)
    select e.project_id, e.id, l."nodeId", l.iteration, e.user_id, l.operation, l.status, l."amountUsd", l.reason, l.description, l.usage
      from written e cross join lateral json_to_recordset(e.ledger) as l(${LEDGER_COLUMNS})
    on conflict (run_id, ledger_key(node_id, iteration, operation)) do nothing),
  ${deliveries}
  told as (select pg_notify('scenarium', payload) from unnest($2::text[]) as payload)
  select a.id, a.lease_token as token, a.created_at as "createdAt", a.market_workflow_id as "marketWorkflowId", a.run_fee as "runFee",
         ${toWake} as "toWake", (select count(*) from told) as told
    from accepted a`;
}
