import { isObject } from '../../../engine/json-value.js';
import { isUuid } from '../../../platform/crypto/uuid.js';
import { Faults, NOT_NULL } from '../../../platform/errors/fields.js';

/** A validated message from a chat page, with trimmed text. */
export interface ReceivedMessage {
  conversationId: string;
  messageId: string;
  text: string;
}

export const MAX_TEXT_CHARACTERS = 8_000;

/**
 * Parses a message body `{conversation_id, message_id, text}`: two lower-case UUIDs and a text of 1 to 8,000 characters.
 * Throws an InvalidInputError that lists all invalid members.
 */
export function parseMessage(body: unknown): ReceivedMessage {
  const { conversation_id, message_id, text } = isObject(body) ? body : {};
  const faults = new Faults();
  if (!isUuid(conversation_id)) faults.add('conversationId', 'Give a UUID in lower case.');
  if (!isUuid(message_id)) faults.add('messageId', 'Give a UUID in lower case.');
  checkText(text, faults);
  faults.throwIfAny();
  return { conversationId: String(conversation_id), messageId: String(message_id), text: String(text).trim() };
}

/** Adds a fault for `text` unless the value is a non-blank string of at most `MAX_TEXT_CHARACTERS`. */
export function checkText(text: unknown, faults: Faults): void {
  if (text === undefined || text === null) return faults.add('text', NOT_NULL);
  if (typeof text !== 'string') return faults.add('text', 'Not a valid string.');
  faults.text('text', text, { min: 1, max: MAX_TEXT_CHARACTERS });
}
