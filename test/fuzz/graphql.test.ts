import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FuzzTarget } from './fuzz-target.js';
import {
  badVariables,
  type GraphQLCase,
  graphqlCase,
  kindOfArgument,
  oddRequest,
  variablesText,
} from './graphql-cases.js';
import { dataFault, ROOT_FIELDS, type RootField } from './graphql-fields.js';
import { HttpClient, type SentRequest } from './http-client.js';
import { assertHolds, FUZZ_MS, FUZZ_RUNS, inLanes, LANES, MOST_REFUSED } from './lanes.js';
import { anyFault, failure } from './verdict.js';

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
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
];
const titled = ROOT_FIELDS.map(root => [`${root.operation} ${root.name}`, root] as const);

let target: FuzzTarget;
let client: HttpClient;
let outcomes: Map<string, Promise<void>>;

beforeAll(async () => {
  target = await FuzzTarget.open();
  client = new HttpClient(target.service.url, LANES);
  const tasks = titled.map(([title, root]): [string, () => Promise<void>] => [title, () => fuzz(root)]);
  outcomes = inLanes(new Map([...tasks, ['odd requests', fuzzOddRequests]]));
});
afterAll(async () => {
  await Promise.allSettled(outcomes?.values() ?? []);
  client?.close();
  await target?.service.stop();
});

interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Sends one body. Throws when the answer breaks a rule that holds for all answers. */
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
  // The stub provider lists no models, so 503 with UNAVAILABLE is the right answer for one of them.
  const isProviderFailure = errors.some(({ message }) => /^The provider \w+ did not list its models\.$/.test(message));
  const codes = isProviderFailure ? [...CODES, 'UNAVAILABLE'] : CODES;
  const unknown = errors.find(({ extensions }) => !codes.includes(extensions?.code ?? ''));
  const fault =
    (isProviderFailure ? null : anyFault(answer)) ?? (unknown ? `the code ${unknown.extensions?.code}` : null);
  const refuse = (reason: string) => failure(reason, request, answer);
  if (fault) throw refuse(fault);
  return { read: read as Answer, refuse };
}

/** Fields whose null is an answer: there is no limit. */
const MAY_ANSWER_NULL = new Set(['operatorLimitSet']);

function isOpen({ name, field }: RootField): boolean {
  return /^(session|marketplace)/.test(name) || field.description?.includes('Requires no credentials') === true;
}

async function tryField(root: RootField, { caller, variables }: GraphQLCase): Promise<boolean> {
  const text = await variablesText(variables, target);
  const body = `{"query":${JSON.stringify(root.document)},"variables":${text}}`;
  const { read, refuse } = await send(body, target.credentials[caller]);
  const { data = null } = read;
  const payload = data?.[root.name];
  const { value, refusals } =
    root.operation === 'mutation' ? valueAndRefusals(payload) : { value: payload, refusals: [] };
  const errors = [...(read.errors ?? []), ...refusals];
  const isDone = value !== undefined && (value !== null || (MAY_ANSWER_NULL.has(root.name) && errors.length === 0));
  if (!isDone && errors.length === 0) throw refuse('neither data nor an error');
  const bad = badVariables(root, text);
  if (bad && isDone) throw refuse(`took what it must refuse: ${bad}`);
  if (isDone && ['anonymous', 'wrong'].includes(caller) && !isOpen(root)) throw refuse('accepted without credentials');
  const fault = payload == null ? null : dataFault(root.field.type, payload, root.name);
  if (fault) throw refuse(fault);
  if (isDone && value !== null) learn(root, value);
  return isDone;
}

/** The value of a payload, and why it was refused. */
function valueAndRefusals(payload: unknown): { value: unknown; refusals: unknown[] } {
  if (!payload) return { value: payload, refusals: [] };
  const { errors, warnings: _warnings, ...members } = payload as { errors: unknown[]; warnings: unknown[] };
  return { value: Object.values(members)[0], refusals: errors };
}

/** Records created and deleted objects. */
function learn({ name }: RootField, value: unknown): void {
  const { id } = value as { id?: number };
  const kind = kindOfArgument(name, 'id');
  if (id === undefined || !kind) return;
  if (name === 'apiKeyCreate') target.recordApiKey(id);
  if (/(Delete|Remove|Detach)$/.test(name)) target.recordDeletion(kind, id);
}

/** Password hashing is slow on purpose, so fields that hash one get fewer cases. */
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
  await assertHolds(oddRequest, async body => void (await send(body, target.credentials.owner)), FUZZ_RUNS * 4);
}

describe('a root field answers as declared, whatever is sent', () => {
  it.each(titled)(
    '%s',
    async title => {
      await outcomes.get(title);
    },
    FUZZ_MS,
  );

  it(
    'and so does a body that is not a GraphQL request',
    async () => {
      await outcomes.get('odd requests');
    },
    FUZZ_MS,
  );
});

it(
  'most fields succeeded at least once, so that the test covers more than refusals',
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
