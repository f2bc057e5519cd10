import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { badVariables, type GraphQLCase, graphqlCase, variablesText } from './graphql-cases.js';
import { dataFault, ROOT_FIELDS, type RootField } from './graphql-fields.js';
import { assertHolds, FUZZ_MS, FUZZ_RUNS } from './rounds.js';
import { askedIn, type Talk, talk } from './socket-cases.js';
import { errorsOf, type Message, SocketClient } from './socket-client.js';
import { type Actor, World } from './world.js';

const CODES = ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_USER_INPUT', 'CONFLICT', 'QUERY_TOO_COMPLEX'];
/** Of the protocol, and of WebSocket for what is no text or too long. */
const CLOSES = { badMessage: 4400, notYet: 4401, refused: 4403, idInUse: 4409, initTwice: 4429, tooLong: 1009 };
const SUBSCRIPTIONS = ROOT_FIELDS.filter(({ operation }) => operation === 'subscription');

let world: World;
const sockets = new Map<Actor, Promise<SocketClient>>();
beforeAll(async () => {
  world = await World.open();
});
afterAll(async () => {
  for (const socket of sockets.values()) await (await socket).end();
  await world?.service.stop();
});

/** One socket of each caller, which stays open whatever is asked over it. */
function socketOf(actor: Actor): Promise<SocketClient> {
  const known = sockets.get(actor) ?? SocketClient.acknowledged(world.service.url, world.credentials[actor]);
  sockets.set(actor, known);
  return known;
}

/** What may not be said, whatever was asked; undefined when nothing is wrong. */
function faultOf({ fault, codes, closed }: SocketClient): string | undefined {
  const unknown = [...codes].find(code => !CODES.includes(code));
  if (unknown !== undefined) return `the code ${unknown}`;
  if (closed && !Object.values(CLOSES).includes(closed.code)) return `closed by ${closed.code} ${closed.reason}`;
  return fault;
}

const subscribed = new Set<string>();
let count = 0;

async function trySubscription(root: RootField, { caller, variables }: GraphQLCase): Promise<void> {
  const text = await variablesText(variables, world);
  const refuse = (reason: string) =>
    new Error(`${reason}\nsent by ${caller}: ${root.document}\n${text.slice(0, 2_000)}`);
  const socket = await socketOf(caller === 'nobody' || caller === 'wrong' ? 'owner' : caller);
  socket.heard.length = 0;
  const id = String(count++);
  socket.write(
    `{"id":"${id}","type":"subscribe","payload":{"query":${JSON.stringify(root.document)},"variables":${text}}}`,
  );
  const bad = badVariables(root, text);
  const isMine = (message: Message) => message.id === id;
  // After a number that was seen there may be nothing to tell: then it is enough that the socket goes on.
  const isSilent = bad === null && 'afterSequence' in variables && (await socket.answers());
  const answer = isSilent
    ? socket.heard.find(isMine)
    : await socket.hears(isMine, 'no answer').catch(({ message }) => {
        throw refuse(message);
      });
  socket.say({ type: 'complete', id });
  const fault = faultOf(socket) ?? (socket.closed ? 'closed' : undefined);
  if (fault) throw refuse(fault);
  if (answer?.type !== 'next' || errorsOf(answer).length > 0) return;
  subscribed.add(root.name);
  if (bad) throw refuse(`took what it must refuse: ${bad}`);
  const { data } = answer.payload as { data: Record<string, unknown> };
  const undeclared = dataFault(root.field.type, data[root.name], root.name);
  if (undeclared) throw refuse(undeclared);
}

async function tryTalk({ isKnown, said }: Talk): Promise<void> {
  const { url } = world.service;
  const socket = isKnown ? await SocketClient.acknowledged(url, world.credentials.owner) : await SocketClient.open(url);
  for (const each of said) socket.write(each);
  const isOpen = await socket.answers();
  for (const id of askedIn(said)) await socket.hears(message => message.id === id, `no answer to ${id}`);
  const fault = faultOf(socket);
  if (isOpen) await socket.end();
  if (fault) throw new Error(fault);
}

describe('whatever is asked over a socket, a subscription answers as it is declared', () => {
  it.each(SUBSCRIPTIONS.map(root => [root.name, root] as const))(
    '%s',
    async (name, root) => {
      await assertHolds(graphqlCase(root), one => trySubscription(root, one));
      expect([...subscribed]).toContain(name);
    },
    FUZZ_MS,
  );
});

it(
  'whatever is said over a socket, it is answered by the protocol, or the socket is closed by it',
  () => assertHolds(talk, tryTalk, FUZZ_RUNS * 3),
  FUZZ_MS,
);

it.each<[string, (string | Uint8Array)[], number]>([
  ['what is no JSON', ['{'], CLOSES.badMessage],
  ['a binary message that is none', [new Uint8Array([255])], CLOSES.badMessage],
  ['a message of no type', ['{"type":"start"}'], CLOSES.badMessage],
  ['a message that a server sends', ['{"type":"connection_ack"}'], CLOSES.badMessage],
  ['an answer', ['{"type":"next","id":"a","payload":{}}'], CLOSES.badMessage],
  ['an error', ['{"type":"error","id":"a","payload":[{"message":"m"}]}'], CLOSES.badMessage],
  [
    'an operation before it is known who asks',
    ['{"type":"subscribe","id":"a","payload":{"query":"{ me { id } }"}}'],
    CLOSES.notYet,
  ],
  ['nobody', ['{"type":"connection_init"}'], CLOSES.refused],
  ['a wrong key', ['{"type":"connection_init","payload":{"X-Api-Key":"sk-wrong"}}'], CLOSES.refused],
  ['two beginnings', ['{"type":"connection_init"}', '{"type":"connection_init"}'], CLOSES.initTwice],
  ['more than a body may be long', [' '.repeat(20 * 1024 * 1024)], CLOSES.tooLong],
])('closes the socket for %s', async (_title, said, code) => {
  const socket = await SocketClient.open(world.service.url);
  for (const each of said) socket.write(each);
  await socket.hears(() => false, 'no close');
  expect(socket.closed?.code).toBe(code);
});

it('closes the socket for an id that is in use', async () => {
  const socket = await SocketClient.acknowledged(world.service.url, world.credentials.owner);
  const { project } = await world.makePlace('owner');
  const query = `subscription { agentApprovalRequested(projectId: ${project}) { id } }`;
  for (let time = 0; time < 2; time++) socket.say({ id: 'a', type: 'subscribe', payload: { query } });
  await socket.hears(() => false, 'no close');
  expect(socket.closed?.code).toBe(CLOSES.idInUse);
});

it('the service lives on, and has said nothing wrong later', async () => {
  for (const known of sockets.values()) expect(faultOf(await known)).toBeUndefined();
  const socket = await SocketClient.acknowledged(world.service.url, world.credentials.owner);
  expect(await socket.answers()).toBe(true);
  await socket.end();
  const { status } = await world.service.rest('GET', '/api/v1/projects/', {
    key: null,
    headers: world.credentials.owner,
  });
  expect(status).toBe(200);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
