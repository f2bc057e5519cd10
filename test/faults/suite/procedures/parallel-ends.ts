import { setTimeout as delay } from 'node:timers/promises';
import { edge, field, graph, http, output, template, trigger } from '../../../support/graphs.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { type Context, createFixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import { type Outcome, percentile } from '../outcome.js';

const RUNS = 10_000;
const CALLS = 10;
/** Upper limit of a run in milliseconds: an answer of the upstream takes at most 80 ms. */
const MAX_MS = 1_000;
/** The limit on a busy machine, in medians. A lost end is found only when a lease expires after 10 s. */
const MAX_OF_MEDIAN = 20;

// A run whose end was lost is claimed a second time, or has a second end.
const ENDED = `
  select extract(epoch from r.run_finished_at - r.queued_at)::float8 * 1000 as ms, r.state, r.attempts,
         (select count(*) from workflow_run_journal j
           where j.run_id = r.id and (j.events -> -1 ->> 'type') in ('run.succeeded', 'run.failed', 'run.cancelled'))::int as ends
    from workflow_run r where r.id = any($1::uuid[])`;

/** trigger → ten HTTP calls at the same time → a template that joins them → output. */
function parallelGraph(upstream: string) {
  const start = trigger(field('ticket'));
  const calls = Array.from({ length: CALLS }, () => http(`${upstream}/service`, { method: 'POST', body: {} }));
  const join = template(calls.map(({ id }) => `{{ nodes.${id}.json.nth }}`).join(' '));
  const end = output('{{ previous.content }}');
  const edges = [...calls.flatMap(call => [edge(start, call), edge(call, join)]), edge(join, end)];
  return graph([start, ...calls, join, end], edges);
}

/** Runs with many simultaneous answers, one after the other: each ends when its last node ends. */
export async function parallelEnds(context: Context): Promise<Outcome> {
  const runs = context.scaled(RUNS, 100);
  const fixture = await createFixture(context);
  const services = new Fleet({ environment: fixture.environment }, 1);
  try {
    await services.start();
    const client = new RetryingClient(() => services.urls);
    const project = (await client.send('POST', '/api/v1/projects/', { name: 'Parallel' })).body.id;
    const data = parallelGraph(fixture.upstream.origin);
    const workflow = (await client.send('POST', '/api/v1/workflows/', { project, title: 'Parallel', data })).body.id;
    const ids: string[] = [];
    while (ids.length < runs && !context.isTimeUp()) {
      const { id } = (await client.send('POST', `/api/v1/workflows/${workflow}/run/`, {})).body.data;
      await awaitEnd(client, id);
      ids.push(id);
      if (ids.length % 500 === 0) context.log(`${ids.length} runs ended`);
    }
    const stallReason = await converge(fixture);
    const rows = await fixture.sql<{ ms: number; state: string; attempts: number; ends: number }>(ENDED, [ids]);
    const durations = rows.map(({ ms }) => ms);
    const median = percentile(durations, 0.5) ?? 0;
    const max = Math.round(Math.max(MAX_MS, median * MAX_OF_MEDIAN));
    const slow = durations.filter(ms => ms > max).length;
    return {
      procedure: 'parallel-ends',
      fault: `${CALLS} parallel calls and a join, one client`,
      runs: ids.length,
      succeeded: rows.filter(({ state }) => state === 'succeeded').length,
      lost: rows.filter(({ attempts, ends }) => attempts !== 1 || ends === 0).length,
      doubled: rows.filter(({ ends }) => ends > 1).length,
      paidTwice: 0,
      recoveryP99Ms: null,
      failures: [
        ...(slow > 0 ? [`${slow} runs took longer than ${max} ms`] : []),
        ...(stallReason ? [stallReason] : []),
        ...client.faults,
        ...services.faults,
      ],
      details: {
        overASecond: durations.filter(ms => ms > MAX_MS).length,
        p50Ms: Math.round(median),
        p99Ms: Math.round(percentile(durations, 0.99) ?? 0),
        slowestMs: Math.round(durations.reduce((a, b) => Math.max(a, b), 0)),
      },
    };
  } finally {
    await services.close();
    await fixture.close();
  }
}

async function awaitEnd(client: RetryingClient, id: string): Promise<void> {
  for (;;) {
    const { body } = await client.send('GET', `/api/v1/workflows/workflow_result/?id=${id}`, undefined);
    if (body.data.status === 'succeed' || body.data.status === 'failed') return;
    await delay(5);
  }
}
