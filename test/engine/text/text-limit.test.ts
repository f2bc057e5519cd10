import { expect, it } from '@jest/globals';
import { TextLimit } from '../../../src/engine/text/text-limit.js';
import { UnreadableError } from '../../../src/engine/text/unreadable.js';

it('refuses the part of a document that exceeds the limit, and reports what to do', () => {
  const limit = new TextLimit(1_000);
  expect(limit.addText('x'.repeat(600))).toHaveLength(600);
  expect(limit.addText('x'.repeat(400))).toHaveLength(400);
  expect(() => limit.addText('x')).toThrow(
    new UnreadableError('The document has more than 1,000 characters of text. Divide it into several documents.'),
  );
});
