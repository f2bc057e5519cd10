import fc from 'fast-check';
import { arbitraryValue, brokenText } from './arbitrary-values.js';
import { oddRequest } from './graphql-cases.js';
import { jsonText } from './rest-cases.js';

/** Messages sent over one socket, in order; bytes are sent as a binary message. */
export interface SocketCase {
  /** Whether it begins with the handshake of the protocol. */
  startsWithHandshake: boolean;
  frames: (string | Uint8Array)[];
}

const ids = fc.constantFrom('a', 'b', '', '__proto__', 'x'.repeat(300), '\u0000');
const TYPES = [
  'connection_init',
  'ping',
  'pong',
  'subscribe',
  'next',
  'error',
  'complete',
  'connection_ack',
  'start',
  '',
];
const ME = '{ me { id } }';

const subscribe = (id: string, payload: string) =>
  `{"id":${JSON.stringify(id)},"type":"subscribe","payload":${payload}}`;

const frame: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(ids, oddRequest).map(([id, payload]) => subscribe(id, payload)) },
  { weight: 2, arbitrary: ids.map(id => subscribe(id, JSON.stringify({ query: ME }))) },
  { weight: 1, arbitrary: ids.map(id => JSON.stringify({ id, type: 'complete' })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.oneof(ids, arbitraryValue), fc.oneof(fc.constantFrom(...TYPES), arbitraryValue), arbitraryValue)
      .map(([id, type, payload]) => jsonText({ id, type, payload })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        query: fc.oneof(fc.constant(ME), arbitraryValue),
        variables: arbitraryValue,
        operationName: arbitraryValue,
        extensions: arbitraryValue,
      })
      .map(payload => subscribe('a', jsonText(payload))),
  },
  { weight: 1, arbitrary: arbitraryValue.map(payload => jsonText({ type: 'connection_init', payload })) },
  { weight: 2, arbitrary: fc.oneof(brokenText, arbitraryValue.map(jsonText)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }) },
);

export const socketCase: fc.Arbitrary<SocketCase> = fc.record({
  startsWithHandshake: fc.nat(3).map(one => one > 0),
  frames: fc.array(frame, { minLength: 1, maxLength: 4 }),
});

/**
 * Ids of operations that were started and not completed by the client: each is answered, unless the socket is closed.
 */
export function operationIdsIn(frames: SocketCase['frames']): Set<string> {
  const started = new Set<string>();
  for (const each of frames) {
    const { type, id } = parsed(each);
    if (typeof id !== 'string') continue;
    if (type === 'subscribe') started.add(id);
    if (type === 'complete') started.delete(id);
  }
  return started;
}

function parsed(text: string | Uint8Array): { type?: unknown; id?: unknown } {
  try {
    return JSON.parse(String(text)) ?? {};
  } catch {
    return {};
  }
}
