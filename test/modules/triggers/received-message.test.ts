import { describe, expect, it } from '@jest/globals';
import { parseMessage } from '../../../src/modules/triggers/chat/received-message.js';
import type { InvalidInputError } from '../../../src/platform/errors/errors.js';

const IDS = {
  conversation_id: '0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a10',
  message_id: '0b0d4a3e-7f5c-4c59-9d3a-2f6b8f1f4a11',
};

describe('a received chat message', () => {
  it('has trimmed text', () => {
    expect(parseMessage({ ...IDS, text: ' Hi ' })).toEqual({
      conversationId: IDS.conversation_id,
      messageId: IDS.message_id,
      text: 'Hi',
    });
  });

  it.each<[string, unknown, string]>([
    ['no text', undefined, 'This field may not be null.'],
    ['the text null', null, 'This field may not be null.'],
    ['a number', 7, 'Not a valid string.'],
    ['a list', ['Hi'], 'Not a valid string.'],
    ['an object', { text: 'Hi' }, 'Not a valid string.'],
    ['a blank text', ' ', 'This field may not be blank.'],
    ['a long text', 'x'.repeat(8_001), 'Ensure this field has no more than 8000 characters.'],
  ])('is refused with %s', (_title, text, fault) => {
    expect(fieldsOf({ ...IDS, text })).toEqual({ text: [fault] });
  });

  it('is refused with the faults of all its members', () => {
    // The REST layer gives the names of the body, such as `conversation_id`, to the faults.
    expect(Object.keys(fieldsOf([]) ?? {})).toEqual(['conversationId', 'messageId', 'text']);
  });
});

function fieldsOf(body: unknown) {
  try {
    parseMessage(body);
    return undefined;
  } catch (error) {
    return (error as InvalidInputError).extensions.fields;
  }
}
