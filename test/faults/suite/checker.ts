import { ProjectMember } from '../../../src/modules/projects/members/project-member.js';
import { Reconciliation } from '../../../src/modules/workflow-runs/reconciliation/reconciliation.js';
import { Database } from '../../../src/platform/database/database.js';
import { createLog } from '../../../src/platform/logging/log.js';
import type { Fixture } from './fixture.js';
import type { TicketUpstream, UpstreamCall } from './ticket-upstream.js';
import { RUN_USD, type Ticket } from './workload.js';

export interface CheckResult {
  succeeded: number;
  lost: number;
  doubled: number;
  paidTwice: number;
  /** The first findings, in words. */
  examples: string[];
  /** Error messages of failed runs, with the number of runs. */
  reasons: Record<string, number>;
  /** Calls that were repeated, as the guarantees allow: in flight when a process died. */
  repeatedCalls: number;
}

interface RunRow {
  id: string;
  state: string;
  claims: number;
  ticket: string;
  output: string | null;
  error: string | null;
  isLedgerRight: boolean;
  isJournalComplete: boolean;
  webhook: string | null;
}

/** SQL for the output and error of the run of a payload `p`: of a stored result or of the end event of the journal. */
export const OUTCOME = `coalesce(p.result, (
  select events -> -1 from workflow_run_journal e
   where e.run_id = p.run_id and e.run_created_at = p.run_created_at and events -> -1 ->> 'type' in ('run.succeeded', 'run.failed')))`;

// One row per run. The ledger has each of its five nodes once and the whole cost, and the journal has each event once. The bits of
// a lease token above the 40 random ones count the claims (src/durable/lease-token.ts).
const RUNS = `
  select r.id, r.state, (r.lease_token >> 40)::int as claims, p.input->>'ticket' as ticket, o.outcome->>'output' as output,
         o.outcome->>'error' as error, r.cost_usd = coalesce(b.amount, 0) and b.rows = b.nodes
           and (r.state <> 'succeeded' or (b.nodes = 5 and r.cost_usd = $1::numeric)) as "isLedgerRight",
         coalesce(j.events = r.sequence and j.last = r.sequence and j.ends = j.nodes, false) as "isJournalComplete",
         d.state as webhook
    from workflow_run r
    join workflow_run_payload p on p.run_id = r.id and p.run_created_at = r.created_at
    cross join lateral (select ${OUTCOME} as outcome) o
    left join lateral (
      select count(*) as rows, count(distinct node_id) as nodes, sum(amount_usd) as amount
        from billing_transaction where run_id = r.id) b on true
    left join lateral (
      select count(*) as events, max(y.last_sequence) as last,
             count(*) filter (where coalesce(e->>'type', 'node.succeeded') = 'node.succeeded') as ends,
             count(distinct e->>'node') filter (where coalesce(e->>'type', 'node.succeeded') = 'node.succeeded') as nodes
        from workflow_run_journal y cross join lateral json_array_elements(y.events) e
       where y.run_id = r.id and y.run_created_at = r.created_at) j on true
    left join lateral (
      select w.state from webhook_delivery_data t join webhook_delivery w on w.id = t.delivery_id
       where t.data->>'id' = r.id::text limit 1) d on true
   where r.workflow_id = $2`;

/** Compares what callers received, which calls the upstream received, and what the database holds. */
export async function check(fixture: Fixture, workflow: number, tickets: readonly Ticket[]): Promise<CheckResult> {
  await fixture.sql("create index if not exists faults_webhooks on webhook_delivery_data ((data->>'id'))");
  const runs = await fixture.sql<RunRow>(RUNS, [RUN_USD, workflow]);
  const byId = new Map(runs.map(run => [run.id, run]));
  const byTicket = Map.groupBy(runs, run => run.ticket);
  const found = new Findings();

  for (const { name, runId } of tickets) {
    const run = byId.get(runId);
    if (!run) found.add('lost', `${runId} was accepted and is not there`);
    else if (run.ticket !== name) found.add('lost', `${runId} was accepted for ${name} and is for ${run.ticket}`);
    else if (!['succeeded', 'failed'].includes(run.state)) found.add('lost', `${runId} is ${run.state}`);
    else if (run.webhook !== 'delivered' || !fixture.upstream.webhooks.get(runId))
      found.add('lost', `the webhook of ${runId} is ${run.webhook ?? 'not there'}`);
  }
  for (const [ticket, runsOfTicket] of byTicket)
    if (runsOfTicket.length > 1) found.add('doubled', `${ticket} has ${runsOfTicket.length} runs`);
  let repeatedCalls = 0;
  for (const run of runs) {
    const fault = callsFault(run, fixture.upstream);
    if (fault) found.add('doubled', `${run.id}: ${fault}`);
    if (!run.isJournalComplete) found.add('doubled', `the journal of ${run.id} has gaps or an event twice`);
    if (!run.isLedgerRight) found.add('paidTwice', `the ledger of ${run.id} is wrong`);
    repeatedCalls += fixture.upstream.callsOf(run.ticket).filter(call => call.nth > 1).length;
  }
  for (const { subject, is, shouldBe } of await differences(fixture))
    found.add('paidTwice', `${subject}: is ${is}, should be ${shouldBe}`);
  const reasons: Record<string, number> = {};
  for (const { state, error } of runs) if (state === 'failed') reasons[error ?? ''] = (reasons[error ?? ''] ?? 0) + 1;
  const succeeded = runs.filter(run => run.state === 'succeeded').length;
  return { ...found.counts, succeeded, repeatedCalls, reasons, examples: found.examples };
}

/**
 * Describes a fault in the calls of a run. The output of a succeeded run names the number of its last call of each kind, because a
 * call is not repeated after its answer was recorded.
 */
function callsFault(run: RunRow, upstream: TicketUpstream): string | undefined {
  const calls = upstream.callsOf(run.ticket);
  for (const kind of ['llm', 'http'] as const) {
    const own = calls.filter(call => call.kind === kind);
    if (own.length > run.claims) return `${own.length} calls (${kind}) in ${run.claims} claims`;
    if (new Set(own.map(call => call.key)).size > 1) return `calls (${kind}) with different Idempotency-Keys`;
  }
  if (run.state !== 'succeeded') return undefined;
  const last = (kind: UpstreamCall['kind']) => calls.filter(call => call.kind === kind).length;
  const expected = `${run.ticket} ${last('llm')} ${last('http')}`;
  return run.output === expected ? undefined : `the output is “${run.output}”, by the calls it should be “${expected}”`;
}

/** Totals that differ from the sum of their rows. */
export async function differences(fixture: Fixture) {
  const url = fixture.environment.DATABASE_URL as string;
  const log = createLog('silent');
  const database = await Database.open({ url, entities: [ProjectMember], migrations: [], log });
  try {
    return await new Reconciliation(database.longRunning).differences();
  } finally {
    await database.close();
  }
}

class Findings {
  readonly counts = { lost: 0, doubled: 0, paidTwice: 0 };
  readonly examples: string[] = [];

  add(column: keyof Findings['counts'], description: string): void {
    this.counts[column]++;
    if (this.examples.length < 10) this.examples.push(`${column}: ${description}`);
  }
}
