import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Actor, FuzzTarget } from './fuzz-target.js';
import { badVariables, type GraphQLCase, graphqlCase, plainCase, variablesText } from './graphql-cases.js';
import { dataFault, ROOT_FIELDS, type RootField } from './graphql-fields.js';
import { assertHolds, FUZZ_MS, FUZZ_RUNS } from './lanes.js';
import { operationIdsIn, type SocketCase, socketCase } from './socket-cases.js';
import { errorsOf, type Message, SocketClient } from './socket-client.js';

const CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'QUERY_TOO_COMPLEX',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
];
/** Close codes of the protocol, and of WebSocket for binary or too long messages. */
const CLOSE_CODES = { badMessage: 4400, notYet: 4401, refused: 4403, idInUse: 4409, initTwice: 4429, tooLong: 1009 };
const SUBSCRIPTIONS = ROOT_FIELDS.filter(({ operation }) => operation === 'subscription');

let target: FuzzTarget;
const sockets = new Map<Actor, Promise<SocketClient>>();
beforeAll(async () => {
  target = await FuzzTarget.open();
});
afterAll(async () => {
  for (const socket of sockets.values()) await (await socket).end();
  await target?.service.stop();
});

/** One socket per caller, which stays open whatever is sent over it. */
function socketOf(actor: Actor): Promise<SocketClient> {
  const known = sockets.get(actor) ?? SocketClient.acknowledged(target.service.url, target.credentials[actor]);
  sockets.set(actor, known);
  return known;
}

/** The fault in the received messages, for any sent messages; undefined if there is none. */
function faultOf({ fault, codes, closed }: SocketClient): string | undefined {
  const unknown = [...codes].find(code => !CODES.includes(code));
  if (unknown !== undefined) return `the code ${unknown}`;
  if (closed && !Object.values(CLOSE_CODES).includes(closed.code)) return `closed by ${closed.code} ${closed.reason}`;
  return fault;
}

const subscribed = new Set<string>();
let count = 0;

async function trySubscription(root: RootField, { caller, variables }: GraphQLCase): Promise<void> {
  const text = await variablesText(variables, target);
  const refuse = (reason: string) =>
    new Error(`${reason}\nsent by ${caller}: ${root.document}\n${text.slice(0, 2_000)}`);
  // The handshake refuses callers without a valid key, so their variables are sent as the owner.
  const socket = await socketOf(caller === 'anonymous' || caller === 'wrong' ? 'owner' : caller);
  socket.received.length = 0;
  const id = String(count++);
  socket.sendRaw(
    `{"id":"${id}","type":"subscribe","payload":{"query":${JSON.stringify(root.document)},"variables":${text}}}`,
  );
  const bad = badVariables(root, text);
  const isMine = (message: Message) => message.id === id;
  // A resumed subscription may have nothing left to send; then the socket only has to stay open.
  const isSilent = bad === null && 'afterSequence' in variables && (await socket.answers());
  const answer = isSilent
    ? socket.received.find(isMine)
    : await socket.receive(isMine, 'no answer').catch(({ message }) => {
        throw refuse(message);
      });
  socket.sendJson({ type: 'complete', id });
  const fault = faultOf(socket) ?? (socket.closed ? 'closed' : undefined);
  if (fault) throw refuse(fault);
  if (answer?.type !== 'next' || errorsOf(answer).length > 0) return;
  subscribed.add(root.name);
  if (bad) throw refuse(`took what it must refuse: ${bad}`);
  const { data } = answer.payload as { data: Record<string, unknown> };
  const undeclared = dataFault(root.field.type, data[root.name], root.name);
  if (undeclared) throw refuse(undeclared);
}

async function sendCase({ startsWithHandshake, frames }: SocketCase): Promise<void> {
  const { url } = target.service;
  const socket = startsWithHandshake
    ? await SocketClient.acknowledged(url, target.credentials.owner)
    : await SocketClient.open(url);
  for (const each of frames) socket.sendRaw(each);
  const isOpen = await socket.answers();
  for (const id of operationIdsIn(frames)) await socket.receive(message => message.id === id, `no answer to ${id}`);
  const fault = faultOf(socket);
  if (isOpen) await socket.end();
  if (fault) throw new Error(fault);
}

describe('a subscription answers as declared, whatever is sent over the socket', () => {
  it.each(SUBSCRIPTIONS.map(root => [root.name, root] as const))(
    '%s',
    async (name, root) => {
      // Random arguments may all be refused; these are accepted.
      await trySubscription(root, plainCase(root));
      expect([...subscribed]).toContain(name);
      await assertHolds(graphqlCase(root), one => trySubscription(root, one));
    },
    FUZZ_MS,
  );
});

it(
  'whatever is sent over a socket is answered by the protocol, or closes the socket',
  () => assertHolds(socketCase, sendCase, FUZZ_RUNS * 3),
  FUZZ_MS,
);

it.each<[string, (string | Uint8Array)[], number]>([
  ['what is not JSON', ['{'], CLOSE_CODES.badMessage],
  ['a binary message that is not JSON', [new Uint8Array([255])], CLOSE_CODES.badMessage],
  ['a message of an unknown type', ['{"type":"start"}'], CLOSE_CODES.badMessage],
  ['a message that a server sends', ['{"type":"connection_ack"}'], CLOSE_CODES.badMessage],
  ['an answer', ['{"type":"next","id":"a","payload":{}}'], CLOSE_CODES.badMessage],
  ['an error', ['{"type":"error","id":"a","payload":[{"message":"m"}]}'], CLOSE_CODES.badMessage],
  [
    'an operation before the handshake',
    ['{"type":"subscribe","id":"a","payload":{"query":"{ me { id } }"}}'],
    CLOSE_CODES.notYet,
  ],
  ['a handshake without credentials', ['{"type":"connection_init"}'], CLOSE_CODES.refused],
  [
    'a handshake with a wrong key',
    ['{"type":"connection_init","payload":{"X-Api-Key":"sk-wrong"}}'],
    CLOSE_CODES.refused,
  ],
  ['a second handshake', ['{"type":"connection_init"}', '{"type":"connection_init"}'], CLOSE_CODES.initTwice],
  ['a message that is longer than a body may be', [' '.repeat(20 * 1024 * 1024)], CLOSE_CODES.tooLong],
])('closes the socket for %s', async (_title, frames, code) => {
  const socket = await SocketClient.open(target.service.url);
  for (const each of frames) socket.sendRaw(each);
  await socket.receive(() => false, 'no close');
  expect(socket.closed?.code).toBe(code);
});

it('closes the socket for an operation id that is in use', async () => {
  const socket = await SocketClient.acknowledged(target.service.url, target.credentials.owner);
  const { project } = await target.createFixture('owner');
  const query = `subscription { agentApprovalRequested(projectId: ${project}) { id } }`;
  for (let time = 0; time < 2; time++) socket.sendJson({ id: 'a', type: 'subscribe', payload: { query } });
  await socket.receive(() => false, 'no close');
  expect(socket.closed?.code).toBe(CLOSE_CODES.idInUse);
});

it('the service still works, and has sent nothing wrong meanwhile', async () => {
  for (const known of sockets.values()) expect(faultOf(await known)).toBeUndefined();
  const socket = await SocketClient.acknowledged(target.service.url, target.credentials.owner);
  expect(await socket.answers()).toBe(true);
  await socket.end();
  const { status } = await target.service.rest('GET', '/api/v1/projects/', {
    key: null,
    headers: target.credentials.owner,
  });
  expect(status).toBe(200);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
