import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { kindOfPathParameter } from './declared-values.js';
import { type Fixture, FuzzTarget } from './fuzz-target.js';
import { HttpClient } from './http-client.js';
import { assertHolds, FUZZ_MS, FUZZ_RUNS, inLanes, LANES, MOST_REFUSED } from './lanes.js';
import { declaredCase, type RestCase, requestOf, restCase } from './rest-cases.js';
import { methodsOf, REST_OPERATIONS, type RestOperation } from './rest-operations.js';
import { anyFault, failure, restFault } from './verdict.js';

const titled = REST_OPERATIONS.map(operation => [`${operation.method} ${operation.route}`, operation] as const);

let target: FuzzTarget;
let client: HttpClient;
let outcomes: Map<string, Promise<void>>;

beforeAll(async () => {
  target = await FuzzTarget.open();
  client = new HttpClient(target.service.url, LANES);
  outcomes = inLanes(new Map(titled.map(([title, operation]) => [title, () => fuzz(operation)])));
});
afterAll(async () => {
  await Promise.allSettled(outcomes?.values() ?? []);
  client?.close();
  await target?.service.stop();
});

async function send(operation: RestOperation, one: RestCase): Promise<number> {
  const request = await requestOf(operation, one, target);
  const answer = await client.send(request);
  const fault = restFault(operation, request, one.caller, answer);
  if (fault) throw failure(fault, request, answer);
  if (answer.status < 300) learn(operation, request.path, answer.text);
  return answer.status;
}

/** Records objects that an answer reports as created or deleted. */
function learn({ method, route }: RestOperation, path: string, text: string): void {
  if (method === 'POST' && route === '/api/v1/api-keys/') target.recordApiKey(JSON.parse(text).id);
  const name = /\{(\w+)\}\/$/.exec(route)?.[1];
  const id = /\/([^/?]+)\/(?:\?|$)/.exec(path)?.[1];
  if (method !== 'DELETE' || name === undefined || id === undefined) return;
  target.recordDeletion(kindOfPathParameter(route, name), id);
}

/** Password hashing is slow on purpose, so operations that hash one get fewer cases. */
function runsOf({ route }: RestOperation): number {
  return route === '/api/v1/token/' ? Math.ceil(FUZZ_RUNS / 10) : FUZZ_RUNS;
}

/** The operations that answered a request with a success. */
const answered = new Set<RestOperation>();

async function fuzz(operation: RestOperation): Promise<void> {
  await assertHolds(
    restCase(operation),
    async one => {
      if ((await send(operation, one)) < 300) answered.add(operation);
    },
    runsOf(operation),
  );
}

describe('an operation answers as declared, whatever is sent', () => {
  it.each(titled)(
    '%s',
    async title => {
      await outcomes.get(title);
    },
    FUZZ_MS,
  );
});

describe('every path answers', () => {
  const paths = [...new Set(REST_OPERATIONS.map(({ route }) => route))];

  it.each(paths)('a method that it does not have: %s', async route => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
      if (methodsOf(route).includes(method)) continue;
      const request = { method, path: route.replaceAll(/\{\w+\}/g, '1'), headers: {}, body: undefined };
      const answer = await client.send(request);
      const fault = anyFault(answer);
      if (fault) throw failure(fault, request, answer);
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toContain(methodsOf(route)[0]);
    }
  });
});

/** Query parameters that name another object. One that does not exist is answered with 404 too. */
const OBJECT_QUERIES = new Set(['to', 'revision_number', 'conversation_id', 'run', 'run_id', 'workflow']);

describe('an object that is created, used, deleted and used again', () => {
  const inPlace = titled.map(([, operation]) => operation).filter(({ route }) => /\/\{/.test(route));
  // The invitation is for another user, so the owner of the project does not find it there. Users belong to no project.
  const used = inPlace.filter(
    ({ route, auth, method }) =>
      auth === 'caller' &&
      method !== 'DELETE' &&
      !route.startsWith('/v1/') &&
      !/\/api-keys\/|\/v1\/(invitations|users)\//.test(route),
  );
  const operationSequence = fc.array(
    fc.constantFrom(...used).chain(operation => declaredCase(operation).map(one => ({ operation, one }))),
    { minLength: 1, maxLength: 8 },
  );

  it(
    'is found until its deletion and never after',
    async () => {
      await assertHolds(
        operationSequence,
        async steps => {
          const fixture = await target.createFixture('owner');
          const path = (operation: RestOperation) =>
            Object.fromEntries(
              operation.parameters
                .filter(parameter => parameter.in === 'path')
                .map(({ name }) => [
                  name,
                  String(fixture[kindOfPathParameter(operation.route, name) as keyof Fixture]),
                ]),
            );
          const sendAll = async () => {
            const statuses: number[] = [];
            for (const { operation, one } of steps) {
              const query = one.query.filter(([name]) => !OBJECT_QUERIES.has(name));
              statuses.push(await send(operation, { ...one, query, path: path(operation) }));
            }
            return statuses;
          };
          const before = await sendAll();
          if (before.includes(404)) throw new Error(`not found before it was deleted: ${before}`);
          await send(operationOf('DELETE', '/api/v1/projects/{id}/'), {
            ...emptyCase,
            path: { id: String(fixture.project) },
          });
          const after = await sendAll();
          // A bad body is refused before the object is looked up.
          const isFound = after.some((status, at) => status !== 404 && !(status === 400 && before[at] === 400));
          if (isFound) throw new Error(`found after it was deleted: ${after}, before: ${before}`);
        },
        Math.ceil(FUZZ_RUNS / 5),
      );
    },
    FUZZ_MS,
  );
});

const emptyCase: RestCase = { caller: 'owner', path: {}, query: [], oddQuery: '', body: undefined, headers: {} };

function operationOf(method: string, route: string): RestOperation {
  return REST_OPERATIONS.find(one => one.method === method && one.route === route) as RestOperation;
}

it(
  'most operations succeeded at least once, so that the test covers more than refusals',
  async () => {
    await Promise.allSettled(outcomes.values());
    // The rest need a login, a form of files, an address that may be called or a whole graph.
    const refused = titled.filter(([, operation]) => !answered.has(operation)).map(([title]) => title);
    if (refused.length > titled.length * MOST_REFUSED) throw new Error(`nothing came through: ${refused}`);
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
