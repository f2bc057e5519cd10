import { randomUUID } from 'node:crypto';
import { eventually } from '../../../support/eventually.js';
import { chain, field, llm, node, output, trigger } from '../../../support/graphs.js';
import { differences } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { type Context, createFixture, type Fixture } from '../fixture.js';
import { Fleet } from '../fleet.js';
import type { Outcome } from '../outcome.js';

const REPETITIONS = 1_000;
const SAME_KEY = 100;

/** Fixture of all races: two APIs that are used in turn. */
interface RaceContext {
  fixture: Fixture;
  client: RetryingClient;
  /** A second user, because authors cannot buy their own workflows. */
  customer: RetryingClient;
  repetitions: number;
  project: number;
  /** Answers that are neither a success nor a refusal with a reason. */
  faults: string[];
}

/** Conflicting and identical operations that run at the same time, repeatedly. */
export async function races(context: Context): Promise<Outcome> {
  const repetitions = context.scaled(REPETITIONS, 5);
  const fixture = await createFixture(context);
  const apis = new Fleet({ environment: { ...fixture.environment, ROLE: 'api' } }, 2);
  const workers = new Fleet({ environment: { ...fixture.environment, ROLE: 'worker' } }, 1);
  try {
    await Promise.all([apis.start(), workers.start()]);
    const client = new RetryingClient(() => apis.urls);
    const customer = new RetryingClient(() => apis.urls, await createCustomerKey(client));
    const project = (await client.send('POST', '/api/v1/projects/', { name: 'Races' })).body.id;
    const raceContext: RaceContext = { fixture, client, customer, repetitions, project, faults: [] };
    let doubled = 0;
    for (const [name, race] of Object.entries(RACES)) {
      const startedAt = Date.now();
      doubled += await race(raceContext);
      context.log(`${name}: ${repetitions} repetitions in ${Date.now() - startedAt} ms`);
    }
    const stallReason = await converge(fixture);
    const wrong = await differences(fixture);
    const kinds = Object.keys(RACES);
    const total = repetitions * kinds.length;
    const deadlocks = await fixture.sql<{ count: number }>(
      'select deadlocks::int as count from pg_stat_database where datname = current_database()',
    );
    return {
      procedure: 'races',
      fault: `${repetitions} repetitions each of ${kinds.join(', ')}`,
      runs: total,
      succeeded: total - Math.min(total, raceContext.faults.length + doubled),
      lost: 0,
      doubled,
      paidTwice: wrong.length,
      recoveryP99Ms: null,
      failures: [
        ...raceContext.faults,
        ...client.faults,
        ...customer.faults,
        ...apis.faults,
        ...workers.faults,
        ...wrong.map(({ subject }) => subject),
        ...(stallReason ? [stallReason] : []),
      ].slice(0, 20),
      details: { statuses: client.statuses, deadlocksSolved: deadlocks[0]?.count },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await fixture.close();
  }
}

/** Each returns the number of repetitions in which two operations succeeded where only one may. */
type Race = (raceContext: RaceContext) => Promise<number>;

const toggleApiRun: Race = async raceContext => {
  const { client, fixture, repetitions } = raceContext;
  const workflow = await createWorkflow(raceContext, chain(trigger(), output('there')));
  const run = async () => (await client.send('POST', `/api/v1/workflows/${workflow}/run/`, {})).body.data.id as string;
  const runs = [await run(), await run(), await run()];
  await awaitEnds(fixture, runs);
  return repeat(repetitions, async () => {
    const toggle = (id: string, isOn: boolean) =>
      client.send('POST', `/api/v1/workflows/${workflow}/history/${id}/toggle-api-run/`, { is_api_run: isOn });
    const answers = await Promise.all([...runs.map(id => toggle(id, true)), toggle(fixture.random.pick(runs), false)]);
    for (const { status, body } of answers)
      if (status !== 200) raceContext.faults.push(`toggle: ${status} ${JSON.stringify(body)}`);
    const rows = await fixture.sql('select id from workflow_run where workflow_id = $1 and is_api_run', [workflow]);
    return rows.length > 1;
  });
};

const decide: Race = async raceContext => {
  const { client, fixture, repetitions } = raceContext;
  const agent = node('agent-node', {
    messages: [{ role: 'user', message: 'Hello.' }],
    settings: { model_name: 'echo' },
    approval: 'always',
  });
  const workflow = await createWorkflow(raceContext, chain(trigger(), agent, output()));
  return repeatInParallel(repetitions, 8, async () => {
    const { id } = (await client.send('POST', `/api/v1/workflows/${workflow}/run/`, {})).body.data;
    const readApprovals = () =>
      fixture.sql<{ id: string }>('select id from workflow_run_approval where run_id = $1', [id]);
    const [request] = await eventually(readApprovals, ({ length }) => length > 0);
    const path = `/api/v1/workflows/workflow_run/${id}/agent-approval/${request!.id}`;
    // A 409 is final here, because the other operation was first.
    const decisions = ['approve', 'reject', 'approve', 'reject'];
    const answers = await Promise.all(
      decisions.map(decision => client.sendOnce('POST', `${path}/${decision}/`, undefined)),
    );
    const won = new Set(decisions.filter((_, index) => answers[index]?.status === 200));
    for (const answer of answers)
      if (answer?.status !== 200 && answer?.status !== 409)
        raceContext.faults.push(`decision: ${answer?.status} ${JSON.stringify(answer?.body)}`);
    const [row] = await fixture.sql<{ decision: string }>(
      'select decision from workflow_run_approval where run_id = $1',
      [id],
    );
    return won.size !== 1 || row?.decision !== ([...won][0] === 'approve' ? 'approved' : 'rejected');
  });
};

const reorder: Race = async raceContext => {
  const { client, fixture, repetitions } = raceContext;
  const project = (await client.send('POST', '/api/v1/projects/', { name: 'Order' })).body.id;
  const otherContext = { ...raceContext, project };
  const ids: number[] = [];
  for (let count = 0; count < 5; count++)
    ids.push(await createWorkflow(otherContext, chain(trigger(), output('there'))));
  return repeat(repetitions, async () => {
    const move = (id: number) =>
      client.send('POST', `/api/v1/workflows/${id}/reorder/`, { sort_id: fixture.random.between(1, ids.length) });
    const answers = await Promise.all([...ids, fixture.random.pick(ids)].map(move));
    for (const { status, body } of answers)
      if (status !== 200) raceContext.faults.push(`reorder: ${status} ${JSON.stringify(body)}`);
    const rows = await fixture.sql<{ at: number }>(
      'select sort_id as at from workflow where project_id = $1 order by sort_id',
      [project],
    );
    return JSON.stringify(rows.map(({ at }) => at)) !== '[1,2,3,4,5]';
  });
};

const publish: Race = async raceContext => {
  const { client, fixture, repetitions } = raceContext;
  const { workflow } = await createPublishedWorkflow(raceContext, 0);
  return repeat(repetitions, async () => {
    const send = (action: string) => client.send('POST', `/api/v1/workflows/${workflow}/${action}/`, undefined);
    const answers = await Promise.all(
      [
        'publish-on-marketplace',
        'unpublish-from-marketplace',
        'publish-on-marketplace',
        'unpublish-from-marketplace',
      ].map(send),
    );
    for (const { status, body } of answers)
      if (status >= 300 && status !== 400) raceContext.faults.push(`publish: ${status} ${JSON.stringify(body)}`);
    const [row] = await fixture.sql<{ isComplete: boolean }>(
      'select slug is not null and (not is_published or published_at is not null) as "isComplete" from workflow where id = $1',
      [workflow],
    );
    return !row?.isComplete;
  });
};

const freeRuns: Race = async raceContext => {
  const { customer, fixture, repetitions } = raceContext;
  const free = Math.ceil(repetitions / 2);
  const { workflow, slug } = await createPublishedWorkflow(raceContext, free);
  const buyer = (await customer.send('POST', '/api/v1/projects/', { name: 'Buyer' })).body.id;
  const copied = await customer.send('POST', `/api/v1/workflows/marketplace/${slug}/add-from-marketplace/`, {
    project: buyer,
  });
  if (copied.status !== 201) throw new Error(`copying was answered ${copied.status} ${JSON.stringify(copied.body)}`);
  const runs: string[] = [];
  await repeatInParallel(repetitions, 20, async () => {
    runs.push(
      (await customer.send('POST', `/api/v1/workflows/${copied.body.id}/run/`, { topic: 'cats' })).body.data.id,
    );
    return false;
  });
  await awaitEnds(fixture, runs);
  const [row] = await fixture.sql<{ free: number; all: number }>(
    `select (count(*) filter (where commission_usd = 0))::int as free, count(*)::int as all
       from workflow_run where market_workflow_id = $1 and state = 'succeeded'`,
    [workflow],
  );
  if (row?.all !== repetitions) raceContext.faults.push(`${row?.all} of ${repetitions} runs of the copy succeeded`);
  return Math.abs((row?.free ?? 0) - Math.min(free, repetitions));
};

const oneKey: Race = async raceContext => {
  const { client, fixture, repetitions } = raceContext;
  const workflow = await createWorkflow(raceContext, chain(trigger(field('topic')), output('there')));
  return repeat(repetitions, async () => {
    const key = randomUUID();
    const send = () => client.send('POST', `/api/v1/workflows/${workflow}/run/`, { topic: key }, key);
    const answers = await Promise.all(Array.from({ length: SAME_KEY }, send));
    const ids = new Set(answers.map(({ body }) => body?.data?.id));
    const rows = await fixture.sql(
      `select r.id from workflow_run r join workflow_run_payload p on p.run_id = r.id
        where r.workflow_id = $1 and p.input->>'topic' = $2`,
      [workflow, key],
    );
    return ids.size !== 1 || rows.length !== 1;
  });
};

const RACES: Record<string, Race> = {
  'toggle-api-run': toggleApiRun,
  'approve and reject': decide,
  reorder,
  'publish and unpublish': publish,
  'free runs': freeRuns,
  [`one key × ${SAME_KEY}`]: oneKey,
};

/** Number of repetitions for which `attempt` returns true, which means that a guarantee was broken. */
async function repeat(repetitions: number, attempt: () => Promise<boolean>): Promise<number> {
  let wrong = 0;
  for (let count = 0; count < repetitions; count++) if (await attempt()) wrong++;
  return wrong;
}

async function repeatInParallel(repetitions: number, lanes: number, attempt: () => Promise<boolean>): Promise<number> {
  let left = repetitions;
  let wrong = 0;
  const lane = async () => {
    while (left-- > 0) if (await attempt()) wrong++;
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return wrong;
}

async function createWorkflow({ client, project }: RaceContext, data: unknown, more: object = {}): Promise<number> {
  const answer = await client.send('POST', '/api/v1/workflows/', { project, title: 'Race', data, ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

async function createCustomerKey(client: RetryingClient): Promise<string> {
  const ask = async (query: string) => {
    const { body } = await client.send('POST', '/graphql', { query });
    if (!body.data) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const { userCreate } = await ask(
    'mutation { userCreate(input: { email: "customer@example.com", isApiAllowed: true }) { user { id } } }',
  );
  const { apiKeyCreate } = await ask(
    `mutation { apiKeyCreate(input: { name: "customer", userId: ${userCreate.user.id} }) { apiKey { key } } }`,
  );
  return apiKeyCreate.apiKey.key;
}

async function awaitEnds(fixture: Fixture, ids: readonly string[]): Promise<void> {
  const readUnfinished = () =>
    fixture.sql('select id from workflow_run where id = any($1) and run_finished_at is null', [ids]);
  await eventually(readUnfinished, ({ length }) => length === 0, { withinMs: 600_000 });
}

/** Creates a published workflow with a run that is its template and its example. */
async function createPublishedWorkflow(
  raceContext: RaceContext,
  free: number,
): Promise<{ workflow: number; slug: string }> {
  const { client, fixture } = raceContext;
  const market = { market_title: 'A title', short_description: 'About', available_languages: ['en'] };
  const data = chain(
    trigger(field('topic')),
    llm('Write about {{ input.topic }}', 'gpt-4o-mini'),
    output('{{ previous.content }}'),
  );
  const workflow = await createWorkflow(raceContext, data, { ...market, run_fee: 10, free_runs_per_user: free });
  const { id } = (await client.send('POST', `/api/v1/workflows/${workflow}/run/`, { topic: 'cats' })).body.data;
  await awaitEnds(fixture, [id]);
  const flags = `/api/v1/workflows/${workflow}/history/${id}`;
  await client.send('POST', `${flags}/toggle-marketplace-use/`, { use_as_marketplace_template: true });
  await client.send('POST', `${flags}/toggle-marketplace-example/`, { use_in_marketplace_example: true });
  const published = await client.send('POST', `/api/v1/workflows/${workflow}/publish-on-marketplace/`, undefined);
  if (published.status >= 300) throw new Error(JSON.stringify(published.body));
  return { workflow, slug: published.body.slug };
}
