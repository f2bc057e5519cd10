import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { parseEventId, toEventId } from '../../../src/modules/mcp-server/protocol/event-ids.js';

it.each([
  ['numbers', 1],
  ['texts', 'a'.repeat(200)],
  ['texts that JSON escapes', '\u0001'.repeat(200)],
  ['texts with three bytes for each character', '\u6f22'.repeat(200)],
])('names the position in a call whose ids are %s', (_title, id) => {
  const call = { runId: randomUUID(), requestId: id, progressToken: id };
  expect(parseEventId(toEventId(7, call))).toEqual({ sequence: 7, call });
});

it.each(['', '1', '1.', `1.${'a'.repeat(3_263)}`, '1.W10', 'x.W10'])('rejects %j', text => {
  expect(parseEventId(text)).toBeUndefined();
});
