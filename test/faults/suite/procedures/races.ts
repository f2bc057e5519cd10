import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { chain, field, llm, node, output, trigger } from '../../../support/graphs.js';
import { differences } from '../checker.js';
import { RetryingClient } from '../client.js';
import { converge } from '../convergence.js';
import { Fleet } from '../fleet.js';
import { type Context, type Ground, layGround } from '../ground.js';
import type { Outcome } from '../outcome.js';

const ROUNDS = 1_000;
const SAME_KEY = 100;

/** What races run on: two APIs that are asked in turn. */
interface Track {
  ground: Ground;
  client: RetryingClient;
  /** Another user: authors are not their own customers. */
  customer: RetryingClient;
  rounds: number;
  project: number;
  /** Answers that were neither good nor a refusal that says why. */
  faults: string[];
}

/** Operations that run at the same time as themselves and as their opposites, round after round. */
export async function races(context: Context): Promise<Outcome> {
  const rounds = context.scaled(ROUNDS, 5);
  const ground = await layGround(context);
  const apis = new Fleet({ environment: { ...ground.environment, ROLE: 'api' } }, 2);
  const workers = new Fleet({ environment: { ...ground.environment, ROLE: 'worker' } }, 1);
  try {
    await Promise.all([apis.start(), workers.start()]);
    const client = new RetryingClient(() => apis.urls);
    const customer = new RetryingClient(() => apis.urls, await keyOfAnotherUser(client));
    const project = (await client.send('POST', '/api/v1/projects/', { name: 'Races' })).body.id;
    const track: Track = { ground, client, customer, rounds, project, faults: [] };
    let doubled = 0;
    for (const [name, race] of Object.entries(RACES)) {
      const began = Date.now();
      doubled += await race(track);
      context.say(`${name}: ${rounds} rounds in ${Date.now() - began} ms`);
    }
    const stuck = await converge(ground);
    const wrong = await differences(ground);
    const kinds = Object.keys(RACES);
    const total = rounds * kinds.length;
    const deadlocks = await ground.sql<{ count: number }>(
      'select deadlocks::int as count from pg_stat_database where datname = current_database()',
    );
    return {
      procedure: 'races',
      fault: `${rounds} rounds each of ${kinds.join(', ')}`,
      runs: total,
      succeeded: total - Math.min(total, track.faults.length + doubled),
      lost: 0,
      doubled,
      paidTwice: wrong.length,
      recoveryP99Ms: null,
      failures: [
        ...track.faults,
        ...client.faults,
        ...customer.faults,
        ...apis.faults,
        ...workers.faults,
        ...wrong.map(({ subject }) => subject),
        ...(stuck ? [stuck] : []),
      ].slice(0, 20),
      details: { statuses: client.statuses, deadlocksSolved: deadlocks[0]?.count },
    };
  } finally {
    await Promise.all([apis.close(), workers.close()]);
    await ground.close();
  }
}

/** Each answers in how many rounds two won where one may. */
type Race = (track: Track) => Promise<number>;

const toggleApiRun: Race = async track => {
  const { client, ground, rounds } = track;
  const workflow = await workflowOf(track, chain(trigger(), output('there')));
  const run = async () => (await client.send('POST', `/api/v1/workflows/${workflow}/run/`, {})).body.data.id as string;
  const runs = [await run(), await run(), await run()];
  await ended(ground, runs);
  return repeat(rounds, async () => {
    const toggle = (id: string, isOn: boolean) =>
      client.send('POST', `/api/v1/workflows/${workflow}/history/${id}/toggle-api-run/`, { is_api_run: isOn });
    const answers = await Promise.all([...runs.map(id => toggle(id, true)), toggle(ground.random.pick(runs), false)]);
    for (const { status, body } of answers)
      if (status !== 200) track.faults.push(`toggle: ${status} ${JSON.stringify(body)}`);
    const rows = await ground.sql('select id from workflow_run where workflow_id = $1 and is_api_run', [workflow]);
    return rows.length > 1;
  });
};

const decide: Race = async track => {
  const { client, ground, rounds } = track;
  const agent = node('agent-node', {
    messages: [{ role: 'user', message: 'Hello.' }],
    settings: { model_name: 'echo' },
    approval: 'always',
  });
  const workflow = await workflowOf(track, chain(trigger(), agent, output()));
  return inLanes(rounds, 8, async () => {
    const { id } = (await client.send('POST', `/api/v1/workflows/${workflow}/run/`, {})).body.data;
    const asked = () => ground.sql<{ id: string }>('select id from workflow_run_approval where run_id = $1', [id]);
    let requests = await asked();
    for (; requests.length === 0; requests = await asked()) await delay(20);
    const path = `/api/v1/workflows/workflow_run/${id}/agent-approval/${requests[0]!.id}`;
    // A refusal by 409 is final here: the other one was first.
    const decisions = ['approve', 'reject', 'approve', 'reject'];
    const answers = await Promise.all(decisions.map(what => client.sendOnce('POST', `${path}/${what}/`, undefined)));
    const won = new Set(decisions.filter((_, index) => answers[index]?.status === 200));
    for (const answer of answers)
      if (answer?.status !== 200 && answer?.status !== 409)
        track.faults.push(`decision: ${answer?.status} ${JSON.stringify(answer?.body)}`);
    const [row] = await ground.sql<{ decision: string }>(
      'select decision from workflow_run_approval where run_id = $1',
      [id],
    );
    return won.size !== 1 || row?.decision !== ([...won][0] === 'approve' ? 'approved' : 'rejected');
  });
};

const reorder: Race = async track => {
  const { client, ground, rounds } = track;
  const project = (await client.send('POST', '/api/v1/projects/', { name: 'Order' })).body.id;
  const made = { ...track, project };
  const ids: number[] = [];
  for (let count = 0; count < 5; count++) ids.push(await workflowOf(made, chain(trigger(), output('there'))));
  return repeat(rounds, async () => {
    const move = (id: number) =>
      client.send('POST', `/api/v1/workflows/${id}/reorder/`, { sort_id: ground.random.between(1, ids.length) });
    const answers = await Promise.all([...ids, ground.random.pick(ids)].map(move));
    for (const { status, body } of answers)
      if (status !== 200) track.faults.push(`reorder: ${status} ${JSON.stringify(body)}`);
    const rows = await ground.sql<{ at: number }>(
      'select sort_id as at from workflow where project_id = $1 order by sort_id',
      [project],
    );
    return JSON.stringify(rows.map(({ at }) => at)) !== '[1,2,3,4,5]';
  });
};

const publish: Race = async track => {
  const { client, ground, rounds } = track;
  const { workflow } = await sold(track, 0);
  return repeat(rounds, async () => {
    const send = (what: string) => client.send('POST', `/api/v1/workflows/${workflow}/${what}/`, undefined);
    const answers = await Promise.all(
      [
        'publish-on-marketplace',
        'unpublish-from-marketplace',
        'publish-on-marketplace',
        'unpublish-from-marketplace',
      ].map(send),
    );
    for (const { status, body } of answers)
      if (status >= 300 && status !== 400) track.faults.push(`publish: ${status} ${JSON.stringify(body)}`);
    const [row] = await ground.sql<{ whole: boolean }>(
      'select slug is not null and (not is_published or published_at is not null) as whole from workflow where id = $1',
      [workflow],
    );
    return !row?.whole;
  });
};

const freeRuns: Race = async track => {
  const { customer, ground, rounds } = track;
  const free = Math.ceil(rounds / 2);
  const { workflow, slug } = await sold(track, free);
  const buyer = (await customer.send('POST', '/api/v1/projects/', { name: 'Buyer' })).body.id;
  const copied = await customer.send('POST', `/api/v1/workflows/marketplace/${slug}/add-from-marketplace/`, {
    project: buyer,
  });
  if (copied.status !== 201) throw new Error(`copying was answered ${copied.status} ${JSON.stringify(copied.body)}`);
  const runs: string[] = [];
  await inLanes(rounds, 20, async () => {
    runs.push(
      (await customer.send('POST', `/api/v1/workflows/${copied.body.id}/run/`, { topic: 'cats' })).body.data.id,
    );
    return false;
  });
  await ended(ground, runs);
  const [row] = await ground.sql<{ free: number; all: number }>(
    `select (count(*) filter (where commission_usd = 0))::int as free, count(*)::int as all
       from workflow_run where market_workflow_id = $1 and state = 'succeeded'`,
    [workflow],
  );
  if (row?.all !== rounds) track.faults.push(`${row?.all} of ${rounds} runs of the copy succeeded`);
  return Math.abs((row?.free ?? 0) - Math.min(free, rounds));
};

const oneKey: Race = async track => {
  const { client, ground, rounds } = track;
  const workflow = await workflowOf(track, chain(trigger(field('topic')), output('there')));
  return repeat(rounds, async () => {
    const key = randomUUID();
    const send = () => client.send('POST', `/api/v1/workflows/${workflow}/run/`, { topic: key }, key);
    const answers = await Promise.all(Array.from({ length: SAME_KEY }, send));
    const ids = new Set(answers.map(({ body }) => body?.data?.id));
    const rows = await ground.sql(
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

/** In how many rounds `round` says that something is wrong. */
async function repeat(rounds: number, round: () => Promise<boolean>): Promise<number> {
  let wrong = 0;
  for (let count = 0; count < rounds; count++) if (await round()) wrong++;
  return wrong;
}

async function inLanes(rounds: number, lanes: number, round: () => Promise<boolean>): Promise<number> {
  let left = rounds;
  let wrong = 0;
  const lane = async () => {
    while (left-- > 0) if (await round()) wrong++;
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return wrong;
}

async function workflowOf({ client, project }: Track, data: unknown, more: object = {}): Promise<number> {
  const answer = await client.send('POST', '/api/v1/workflows/', { project, title: 'Race', data, ...more });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

async function keyOfAnotherUser(client: RetryingClient): Promise<string> {
  const ask = async (query: string) => {
    const { body } = await client.send('POST', '/graphql', { query });
    if (!body.data) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const { userCreate } = await ask(
    'mutation { userCreate(input: { email: "customer@example.com", isApiAllowed: true }) { id } }',
  );
  const { apiKeyCreate } = await ask(
    `mutation { apiKeyCreate(input: { name: "customer", userId: ${userCreate.id} }) { key } }`,
  );
  return apiKeyCreate.key;
}

async function ended(ground: Ground, ids: readonly string[]): Promise<void> {
  const alive = () => ground.sql('select id from workflow_run where id = any($1) and run_finished_at is null', [ids]);
  while ((await alive()).length > 0) await delay(50);
}

/** A workflow that can be published, with a run that is its template. */
async function sold(track: Track, free: number): Promise<{ workflow: number; slug: string }> {
  const { client, ground } = track;
  const market = { market_title: 'A title', short_description: 'About', available_languages: ['en'] };
  const data = chain(
    trigger(field('topic')),
    llm('Write about {{ input.topic }}', 'gpt-4o-mini'),
    output('{{ previous.content }}'),
  );
  const workflow = await workflowOf(track, data, { ...market, run_fee: 10, free_runs_per_user: free });
  const { id } = (await client.send('POST', `/api/v1/workflows/${workflow}/run/`, { topic: 'cats' })).body.data;
  await ended(ground, [id]);
  const flags = `/api/v1/workflows/${workflow}/history/${id}`;
  await client.send('POST', `${flags}/toggle-marketplace-use/`, { use_as_marketplace_template: true });
  await client.send('POST', `${flags}/toggle-marketplace-example/`, { use_in_marketplace_example: true });
  const published = await client.send('POST', `/api/v1/workflows/${workflow}/publish-on-marketplace/`, undefined);
  if (published.status >= 300) throw new Error(JSON.stringify(published.body));
  return { workflow, slug: published.body.slug };
}
