import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { HEARTBEAT_SECONDS } from '../../src/durable/queue.js';
import { eventually } from '../support/eventually.js';
import { createWorkflow, echoGraph } from '../support/run-graphs.js';
import { createDatabase, startTestService, type TestService } from '../support/service.js';
import { createRefusals } from '../support/transactions/refused-writes.js';
import { type StubUpstream, startStubUpstream } from '../support/upstreams/stub-upstream.js';

const RUNS = 8;
/** Longer than leases last. */
const REFUSED_MS = (HEARTBEAT_SECONDS + 2) * 1_000;

let upstream: StubUpstream;
let service: TestService;
let other: TestService;
let workflow: number;
let project: number;

// Two workers, because a second one would take over a run that the first one loses.
beforeAll(async () => {
  upstream = await startStubUpstream();
  const openai = { baseUrl: upstream.url, apiKey: 'k' };
  const database = await createDatabase();
  service = await startTestService({ openai }, database);
  other = await startTestService({ openai, role: 'worker' }, database);
  workflow = await createWorkflow(service, echoGraph('gpt-4o-mini'));
  project = (await service.sql('select project_id as id from workflow where id = $1', [workflow]))[0]!.id;
  await createRefusals(service);
});
afterAll(async () => {
  await Promise.all([service?.stop(), other?.stop()]);
  await upstream?.stop();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

/** From now on, statements that write to these tables fail with the code, a SQLSTATE. */
async function refuse(code: string, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await service.sql(
      `create trigger refuse before insert or update on ${table} for each statement execute function refuse()`,
    );
  await service.sql('insert into refusal values ($1)', [code]);
}

async function accept(tables: readonly string[]): Promise<void> {
  await service.sql('truncate refusal');
  for (const table of tables) await service.sql(`drop trigger refuse on ${table}`);
}

const FINAL_STATES = new Set(['succeeded', 'failed', 'cancelled', 'finished', 'error']);
const allEnded = (text: string) =>
  eventually(
    () => service.sql<{ state: string; attempts: number }>(text),
    rows => rows.every(({ state }) => FINAL_STATES.has(state)),
    { withinMs: 120_000 },
  );

/** The tables that a run writes: its lease, its journal and the ledger. */
const RUN_TABLES = ['workflow_run', 'workflow_run_journal', 'scenario_run', 'keyword_run', 'billing_transaction'];

it.each([
  ['takes no writes of runs', '25006', RUN_TABLES],
  ['cancels writes of runs', '57014', RUN_TABLES],
  ['locks the ledger', '55P03', ['billing_transaction']],
])(
  'a database that %s (%s) costs no run, no answer and no second call',
  async (_what, code, tables) => {
    await service.sql('delete from billing_transaction');
    const held = upstream.hold();
    const ids: string[] = [];
    for (let nth = 0; nth < RUNS; nth++) {
      const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: { topic: 'cats' } });
      ids.push(body.data.id);
    }
    await eventually(
      async () => upstream.requests.length,
      count => count === RUNS,
      { withinMs: 60_000 },
    );
    await refuse(code, tables);
    held.release();
    await delay(REFUSED_MS);
    await accept(tables);
    const rows = await allEnded(
      `select state, attempts from workflow_run where id in (${ids.map(id => `'${id}'`).join(', ')})`,
    );
    expect(rows).toEqual(ids.map(() => ({ state: 'succeeded', attempts: 1 })));
    expect(upstream.requests).toHaveLength(RUNS);
    expect(await service.sql(`select count(*)::int as rows from billing_transaction where amount_usd > 0`)).toEqual([
      { rows: RUNS },
    ]);
  },
  240_000,
);

it('keeps the results of scenario runs and keyword runs as well', async () => {
  const createObject = async (path: string, body: object) => {
    const answer = await service.rest('POST', `/api/v1/${path}`, { body: { project, ...body } });
    expect([path, answer.status, answer.body]).toEqual([path, 201, answer.body]);
    return answer.body.id;
  };
  const prompt = await createObject('prompts/', { key: randomUUID(), role: 'user', content: 'Hello' });
  const message = await createObject('messages/', {
    key: randomUUID(),
    prompts: [prompt],
    parameters: { model_name: 'gpt-4o-mini' },
  });
  const scenario = await createObject('scenarios/', {
    name: 'Faults',
    messages: [message],
    category: 1,
    run_fee: 0,
    free_runs_per_user: 0,
  });
  upstream.respondWith(() => ({ content: '["green tea", "black tea"]' }));
  const held = upstream.hold();
  await service.rest('POST', '/api/v1/scenarioruns/run/', { body: { scenario } });
  await createObject('keywordruns/', { topic: 'tea' });
  await eventually(
    async () => upstream.requests.length,
    count => count === 2,
    { withinMs: 60_000 },
  );
  await refuse('25006', RUN_TABLES);
  held.release();
  await delay(REFUSED_MS);
  await accept(RUN_TABLES);
  const rows = await allEnded(
    'select status as state, attempts from scenario_run union all select status, attempts from keyword_run',
  );
  expect(rows).toEqual([
    { state: 'finished', attempts: 1 },
    { state: 'finished', attempts: 1 },
  ]);
  expect(upstream.requests).toHaveLength(2);
}, 240_000);
