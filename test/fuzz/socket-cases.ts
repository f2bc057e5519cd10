import fc from 'fast-check';
import { oddRequest } from './graphql-cases.js';
import { jsonText } from './rest-cases.js';
import { brokenText, wildValue } from './wild-values.js';

/** What is said over one socket, text by text; bytes go as a binary message. */
export interface Talk {
  /** Whether it begins as the protocol wants it. */
  isKnown: boolean;
  said: (string | Uint8Array)[];
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

const utterance: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(ids, oddRequest).map(([id, payload]) => subscribe(id, payload)) },
  { weight: 2, arbitrary: ids.map(id => subscribe(id, JSON.stringify({ query: ME }))) },
  { weight: 1, arbitrary: ids.map(id => JSON.stringify({ id, type: 'complete' })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.oneof(ids, wildValue), fc.oneof(fc.constantFrom(...TYPES), wildValue), wildValue)
      .map(([id, type, payload]) => jsonText({ id, type, payload })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        query: fc.oneof(fc.constant(ME), wildValue),
        variables: wildValue,
        operationName: wildValue,
        extensions: wildValue,
      })
      .map(payload => subscribe('a', jsonText(payload))),
  },
  { weight: 1, arbitrary: wildValue.map(payload => jsonText({ type: 'connection_init', payload })) },
  { weight: 2, arbitrary: fc.oneof(brokenText, wildValue.map(jsonText)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }) },
);

export const talk: fc.Arbitrary<Talk> = fc.record({
  isKnown: fc.nat(3).map(one => one > 0),
  said: fc.array(utterance, { minLength: 1, maxLength: 4 }),
});

/** The ids of operations that were begun and not given up: each is answered, unless the socket is closed. */
export function askedIn(said: Talk['said']): Set<string> {
  const asked = new Set<string>();
  for (const each of said) {
    const { type, id } = parsed(each);
    if (typeof id !== 'string') continue;
    if (type === 'subscribe') asked.add(id);
    if (type === 'complete') asked.delete(id);
  }
  return asked;
}

function parsed(said: string | Uint8Array): { type?: unknown; id?: unknown } {
  try {
    return JSON.parse(String(said)) ?? {};
  } catch {
    return {};
  }
}
