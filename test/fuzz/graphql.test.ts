import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { badVariables, type GraphQLCase, graphqlCase, kindOf, oddRequest, variablesText } from './graphql-cases.js';
import { dataFault, ROOT_FIELDS, type RootField } from './graphql-fields.js';
import { HttpClient, type SentRequest } from './http-client.js';
import { assertHolds, FUZZ_MS, FUZZ_RUNS, inLanes, LANES, MOST_REFUSED } from './rounds.js';
import { anyFault, failure } from './verdict.js';
import { World } from './world.js';

const CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'RATE_LIMITED',
  'BUDGET_EXCEEDED',
  'QUERY_TOO_COMPLEX',
  'PAYLOAD_TOO_LARGE',
];
const titled = ROOT_FIELDS.map(root => [`${root.operation} ${root.name}`, root] as const);

let world: World;
let client: HttpClient;
let outcomes: Map<string, Promise<void>>;

beforeAll(async () => {
  world = await World.open();
  client = new HttpClient(world.service.url, LANES);
  const works = titled.map(([title, root]): [string, () => Promise<void>] => [title, () => fuzz(root)]);
  outcomes = inLanes(new Map([...works, ['odd requests', fuzzOddRequests]]));
});
afterAll(async () => {
  await Promise.allSettled(outcomes?.values() ?? []);
  client?.close();
  await world?.service.stop();
});

interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Sends one body; throws for what no answer may be. */
async function send(body: string, headers: Record<string, string>) {
  const request: SentRequest = {
    method: 'POST',
    path: '/graphql',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  };
  const answer = await client.send(request);
  const read: Answer | Answer[] = answer.text === '' ? {} : JSON.parse(answer.text);
  const errors = [read].flat().flatMap(one => one?.errors ?? []);
  const unknown = errors.find(({ extensions }) => !CODES.includes(extensions?.code ?? ''));
  const fault = anyFault(answer) ?? (unknown ? `the code ${unknown.extensions?.code}` : null);
  const refuse = (reason: string) => failure(reason, request, answer);
  if (fault) throw refuse(fault);
  return { read: read as Answer, refuse };
}

/** Fields whose null is an answer: no limit holds. */
const MAY_ANSWER_NULL = new Set(['operatorLimitSet']);

async function tryField(root: RootField, { caller, variables }: GraphQLCase): Promise<boolean> {
  const text = await variablesText(variables, world);
  const body = `{"query":${JSON.stringify(root.document)},"variables":${text}}`;
  const { read, refuse } = await send(body, world.credentials[caller]);
  const { data = null, errors = [] } = read;
  const value = data?.[root.name];
  const isDone = value !== undefined && (value !== null || (MAY_ANSWER_NULL.has(root.name) && errors.length === 0));
  if (!isDone && errors.length === 0) throw refuse('neither data nor an error');
  const bad = badVariables(root, text);
  if (bad && isDone) throw refuse(`took what it must refuse: ${bad}`);
  if (isDone && ['nobody', 'wrong'].includes(caller) && !/^(session|marketplace)/.test(root.name))
    throw refuse('let in nobody');
  const fault = isDone ? dataFault(root.field.type, value, root.name) : null;
  if (fault) throw refuse(fault);
  if (isDone && value !== null) learn(root, value);
  return isDone;
}

/** Takes note of what was made or ended. */
function learn({ name }: RootField, value: unknown): void {
  const { id } = value as { id?: number };
  const kind = kindOf(name, 'id');
  if (id === undefined || !kind) return;
  if (name === 'apiKeyCreate') world.made(id);
  if (/(Delete|Remove|Detach)$/.test(name)) world.ended(kind, id);
}

/** Passwords are slow on purpose: fewer of what makes or checks one. */
function runsOf({ name }: RootField): number {
  return ['sessionCreate', 'userCreate', 'userUpdate'].includes(name) ? Math.ceil(FUZZ_RUNS / 10) : FUZZ_RUNS;
}

/** The root fields that answered a request with data. */
const answered = new Set<string>();

async function fuzz(root: RootField): Promise<void> {
  await assertHolds(
    graphqlCase(root),
    async one => {
      if (await tryField(root, one)) answered.add(root.name);
    },
    runsOf(root),
  );
}

async function fuzzOddRequests(): Promise<void> {
  await assertHolds(oddRequest, async body => void (await send(body, world.credentials.owner)), FUZZ_RUNS * 4);
}

describe('whatever is sent, a root field answers as it is declared', () => {
  it.each(titled)(
    '%s',
    async title => {
      await outcomes.get(title);
    },
    FUZZ_MS,
  );

  it(
    'and so does what is no request of ours',
    async () => {
      await outcomes.get('odd requests');
    },
    FUZZ_MS,
  );
});

it(
  'most fields were not only refused: then nothing would be tested',
  async () => {
    await Promise.allSettled(outcomes.values());
    // The rest need two ids that belong together, a login, an address that may be called or a socket.
    const refused = ROOT_FIELDS.filter(({ name }) => !answered.has(name)).map(({ name }) => name);
    if (refused.length > ROOT_FIELDS.length * MOST_REFUSED) throw new Error(`nothing came through: ${refused}`);
  },
  FUZZ_MS,
);

it(
  'no request has changed the prototype of all objects',
  async () => {
    await Promise.allSettled(outcomes.values());
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  },
  FUZZ_MS,
);
