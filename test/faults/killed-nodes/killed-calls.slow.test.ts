import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { databaseUrl, testEnvironment } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import {
  chain,
  edge,
  type GraphNode,
  graph,
  http,
  type Json,
  llm,
  node,
  output,
  trigger,
} from '../../support/graphs.js';
import { expireJobs } from '../../support/jobs/expire-jobs.js';
import { faultPoints } from '../../support/processes/fault-points.js';
import { crashWorkerAt } from '../../support/processes/process.js';
import { createDatabase, startTestService, type TestService } from '../../support/service.js';
import { type MailServer, startMailServer } from '../../support/upstreams/mail-server.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';
const EMBEDDING_MODEL = 'text-embedding-3-small';
const ID = 'subject';
/** Cost of one answer of the upstream with `MODEL`. */
const ANSWER_USD = 0.00045;
/** Cost of one answer of the upstream with `EMBEDDING_MODEL`. */
const EMBEDDING_USD = 0.00002;

let upstream: StubUpstream;
let mail: MailServer;
let service: TestService;
let environment: Record<string, string>;
let project: number;
let scenario: number;
let child: number;
const openai = () => ({ baseUrl: upstream.url, apiKey: 'k' });

beforeAll(async () => {
  [upstream, mail] = await Promise.all([startStubUpstream(), startMailServer()]);
  const database = await createDatabase();
  service = await startTestService({ role: 'api', openai: openai() }, database);
  environment = { ...testEnvironment(database), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' };
  await service.sql('create schema outside; create table outside.visit (n int)');
  project = await create('projects/', { name: 'Kinds' });
  // Every paid call reserves its cost.
  await service.sql('update project set budget_usd = 100 where id = $1', [project]);
  child = await create('workflows/', {
    project,
    title: 'Child',
    data: chain(trigger(), llm('Hello', MODEL), output()),
  });
  const prompt = await create('prompts/', { project, key: 'p', role: 'user', content: 'Hello' });
  const message = { project, key: 'm', prompts: [prompt], parameters: { model_name: MODEL } };
  const messages = [await create('messages/', message)];
  scenario = await create('scenarios/', {
    project,
    name: 'S',
    messages,
    category: 1,
    run_fee: 0,
    free_runs_per_user: 0,
  });
  upstream.answers.set('/graphql', { data: { seen: 1 } });
  upstream.answers.set('/feed', Buffer.from('<rss version="2.0"><channel><title>News</title></channel></rss>'));
  upstream.answers.set('/v1/embeddings', {
    ...{ object: 'list', model: EMBEDDING_MODEL, usage: { prompt_tokens: 1_000, total_tokens: 1_000 } },
    data: [{ object: 'embedding', index: 0, embedding: [0.6, 0.8] }],
  });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([upstream?.stop(), mail?.stop()]);
});
beforeEach(async () => {
  upstream.requests.length = 0;
  upstream.headers.length = 0;
  upstream.calls.length = 0;
  mail.received.length = 0;
  upstream.respondWith(null);
  await service.sql('delete from outside.visit');
  await service.sql('delete from workflow_event');
  await service.sql('delete from billing_transaction');
  await service.sql('update project set total_spent_usd = 0');
  await service.sql('delete from workflow_run where workflow_id = $1', [child]);
});

const create = async (path: string, body: object): Promise<number> => {
  const answer = await service.rest('POST', `/api/v1/${path}`, { body });
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};

/** Points at which a worker dies. */
interface Points {
  /** Nothing is repeated. */
  points?: string[];
  /** After an answer and before its record: the call may be repeated. */
  repeatedAt?: string[];
  /** The same of the call of the next node. */
  nextRepeatedAt?: string[];
}

interface Kind extends Points {
  node: () => GraphNode;
  /** Prepares the answers of the upstream. */
  prepare?: () => void;
  /** The effects outside of the run. */
  effects: () => Promise<unknown[]> | unknown[];
  /** Number of effects without a death. Default: 1. */
  count?: number;
  /** Number of nodes in the ledger, those of each iteration separately. Default: the four of the workflow. */
  rows?: number;
  /** Number of charges of other runs that the node started. Default: 0. */
  charges?: number;
  /** Cost of the node in its own run. Default: 0. */
  usd?: number;
}

const callsOf = (path: string) => upstream.calls.filter(call => call.path === path);
const askedKeys = () => upstream.headers.map(headers => headers['idempotency-key']);
const connection = () => `${databaseUrl(service.database)}?sslmode=disable`;
const INSERT = { query: 'insert into outside.visit values (1)', read_only: false };

// The first record contains the start of the node, the second one its answer and the start of the call of the next node.
const CALLED: Points = {
  points: ['record.after:1', 'record.after:2'],
  repeatedAt: ['record.before:2'],
  nextRepeatedAt: ['record.before:3'],
};
// The start of a step has a record of its own.
const STEPS: Points = {
  points: ['record.after:1', 'record.after:2', 'record.after:3'],
  repeatedAt: ['record.before:3'],
  nextRepeatedAt: ['record.before:4'],
};
// The effect has a key, so that it is not repeated.
const ONCE: Points = { ...STEPS, points: [...STEPS.points!, ...STEPS.repeatedAt!], repeatedAt: [] };

// The answers of the two iterations have the third and the fourth record.
const ROUNDS = {
  effects: () => callsOf('/round').map(call => call.method),
  count: 2,
  rows: 8,
  points: [1, 2, 3, 4].map(nth => `record.after:${nth}`),
  repeatedAt: ['record.before:3', 'record.before:4'],
  nextRepeatedAt: ['record.before:5'],
};

const KINDS: Record<string, Kind> = {
  'email-node': {
    node: () =>
      subject('email-node', { connection: mail.url, from: 'a@example.com', to: 'b@example.com', subject: 'S' }),
    // A repeated email has the same id.
    effects: () => mail.received.map(({ text }) => /^message-id: .*$/im.exec(text)?.[0]),
    ...CALLED,
  },
  'database-node': {
    node: () => subject('database-node', { connection: connection(), ...INSERT }),
    effects: () => service.sql('select n from outside.visit'),
    ...CALLED,
  },
  'graphql-node': {
    node: () => subject('graphql-node', { url: `${upstream.origin}/graphql`, query: '{ seen }' }),
    effects: () => callsOf('/graphql').map(call => call.headers['idempotency-key']),
    ...CALLED,
  },
  'rss-node': {
    node: () => subject('rss-node', { url: `${upstream.origin}/feed` }),
    effects: () => callsOf('/feed').map(({ method }) => method),
    ...CALLED,
  },
  'extractor-node': {
    node: () =>
      subject('extractor-node', {
        text: 'Four.',
        output_schema: { type: 'object', properties: { n: { type: 'integer' } } },
        settings: { model_name: MODEL },
      }),
    prepare: () => upstream.respondWith(() => ({ content: '{"n":4}' })),
    effects: () => askedKeys(),
    usd: ANSWER_USD,
    ...STEPS,
  },
  'classifier-node': {
    node: () =>
      subject('classifier-node', { text: 'Good.', labels: [{ name: 'praise' }], settings: { model_name: MODEL } }),
    prepare: () => upstream.respondWith(() => ({ content: '{"label":"praise","confidence":1}' })),
    effects: () => askedKeys(),
    usd: ANSWER_USD,
    ...STEPS,
  },
  'embedding-node': {
    node: () => subject('embedding-node', { input: 'Hello', settings: { model_name: EMBEDDING_MODEL } }),
    effects: () => callsOf('/v1/embeddings').map(call => call.headers['idempotency-key']),
    usd: EMBEDDING_USD,
    ...CALLED,
  },
  'code-node': {
    node: () => subject('code-node', { code: 'return String(Math.random());' }),
    // The next node receives the recorded number, also when its call is repeated.
    effects: () => [...new Set(callsOf('/next').map(({ body }) => body))],
    ...CALLED,
    points: [...CALLED.points!, ...CALLED.repeatedAt!],
    repeatedAt: [],
  },
  'send-event-node': {
    node: () => subject('send-event-node', { event: 'paid', payload: 1 }),
    effects: () => service.sql(`select id from workflow_event where name = 'paid'`),
    ...ONCE,
    points: [...ONCE.points!, 'event.before-commit', 'event.after-commit'],
  },
  'subworkflow-node (detached)': {
    node: () => subject('subworkflow-node', { workflow_id: child, input: {}, detached: true }),
    effects: () => service.sql('select state from workflow_run where workflow_id = $1', [child]),
    charges: 1,
    points: ['accept.before-commit', 'accept.after-commit', 'record.after:1', 'record.after:2', 'record.before:2'],
  },
  'scenario-node': {
    node: () => subject('scenario-node', { scenario_id: scenario }),
    effects: () => askedKeys(),
    charges: 1,
    points: ['record.after:1', 'record.after:2', 'scenario-record.after:2', 'record.before:2'],
    repeatedAt: ['scenario-record.before:2'],
  },
  'loop-node (while)': {
    node: () => subject('loop-node', { repeat: 'while', ...loop('<', '2') }),
    ...ROUNDS,
  },
  'loop-node (until)': {
    node: () => subject('loop-node', { repeat: 'until', ...loop('==', '2') }),
    ...ROUNDS,
  },
};

/** Condition on the number of finished iterations, and a body with one call. */
function loop(operator: string, right: string): Json {
  const [call, end] = [http(`${upstream.origin}/round`, { method: 'POST', body: {} }), output()];
  return { condition: { left: '{{ args.index }}', operator, right }, body: graph([call, end], [edge(call, end)]) };
}

function subject(type: string, data: Json): GraphNode {
  return node(type, data, ID);
}

/** Follows the node with a call that receives its content. */
function graphOf(tested: GraphNode): Json {
  const next = http(`${upstream.origin}/next`, { method: 'POST', body: { text: `{{ nodes.${ID}.content }}` } });
  const data = chain(trigger(), tested, next, output(`{{ nodes.${ID}.content }}`));
  if (tested.type === 'classifier-node') data.edges[1]!.sourceHandle = 'label-0';
  return data as unknown as Json;
}

async function begin(tested: GraphNode): Promise<string> {
  const workflow = await create('workflows/', { project, title: 'Kinds', data: graphOf(tested) });
  const { body } = await service.rest('POST', `/api/v1/workflows/${workflow}/run/`, { body: {} });
  expect(body).toMatchObject({ status: 201 });
  return body.data.id;
}

/** Kills a worker at the point. Another one ends the run. */
async function resume(id: string, point: string) {
  await crashWorkerAt(point, environment);
  await expireJobs(service);
  const worker = await startTestService({ role: 'worker', openai: openai() }, service.database);
  try {
    const ended = await awaitFinish(service, id);
    const unfinished = () => service.sql('select id from workflow_run where run_finished_at is null');
    await eventually(unfinished, ({ length }) => length === 0);
    return ended;
  } finally {
    await worker.stop();
  }
}

const cases = Object.entries(KINDS).flatMap(([name, { points = [], repeatedAt = [], nextRepeatedAt = [] }]) =>
  [...points, ...repeatedAt, ...nextRepeatedAt].map(point => [name, point] as const),
);

it.each(faultPoints(cases))(
  'a worker that dies during a %s (%s) leaves its run to the next one',
  async (name, point) => {
    const { node: tested, prepare, effects, count = 1, rows = 4, usd = 0, ...kind } = KINDS[name]!;
    prepare?.();
    const id = await begin(tested());
    const run = await resume(id, point);
    expect(run).toMatchObject({ status: 'succeed' });
    const found = await effects();
    expect(found).toHaveLength(kind.repeatedAt?.includes(point) ? count + 1 : count);
    expect(found).not.toContain(undefined);
    expect(new Set(found.map(effect => JSON.stringify(effect))).size).toBe(1);
    // The next node, whose call may be repeated as well, received the recorded content, which is the output.
    const next = callsOf('/next').map(({ body }) => JSON.parse(body).text);
    expect(next).toEqual(kind.nextRepeatedAt?.includes(point) ? [run.output, run.output] : [run.output]);
    expect(await ledgerOf(id)).toEqual({ nodes: rows, rows, usd, isExact: true });
    const charges = await service.sql('select run_id from billing_transaction where amount_usd > 0');
    expect(charges).toHaveLength((usd > 0 ? 1 : 0) + (kind.charges ?? 0));
  },
);

it('a statement in flight is not executed again without attempts', async () => {
  const once = { on_error: 'retry', retry: { attempts: 1 } };
  const id = await begin(subject('database-node', { connection: connection(), ...INSERT, ...once }));
  expect(await resume(id, 'record.before:2')).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
  expect(await service.sql('select n from outside.visit')).toHaveLength(1);
});

async function ledgerOf(id: string) {
  const [row] = await service.sql(
    `select count(distinct (b.node_id, b.iteration))::int as nodes, count(*)::int as rows, r.cost_usd::float8 as usd,
            r.cost_usd = sum(b.amount_usd)
              and p.total_spent_usd = (select sum(amount_usd) from billing_transaction where project_id = p.id) as "isExact"
       from workflow_run r join project p on p.id = r.project_id join billing_transaction b on b.run_id = r.id
      where r.id = $1 group by r.id, r.created_at, r.cost_usd, p.id, p.total_spent_usd`,
    [id],
  );
  return row;
}
