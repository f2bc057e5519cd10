import { isObject } from '../../../engine/json-value.js';
import { isUuid } from '../../../platform/crypto/uuid.js';
import { Faults, NOT_NULL } from '../../../platform/errors/fields.js';

/** A message as the page sends it. */
export interface ReceivedMessage {
  conversationId: string;
  messageId: string;
  text: string;
}

export const MAX_TEXT_CHARACTERS = 8_000;

/** Reads `{"conversation_id", "message_id", "text"}`. @throws InvalidInputError */
export function readMessage(body: unknown): ReceivedMessage {
  const { conversation_id, message_id, text } = isObject(body) ? body : {};
  const faults = new Faults();
  if (!isUuid(conversation_id)) faults.add('conversationId', 'Give a UUID in lower case.');
  if (!isUuid(message_id)) faults.add('messageId', 'Give a UUID in lower case.');
  checkText(text, faults);
  faults.throwIfAny();
  return { conversationId: String(conversation_id), messageId: String(message_id), text: String(text).trim() };
}

export function checkText(text: unknown, faults: Faults): void {
  if (typeof text !== 'string') return faults.add('text', NOT_NULL);
  faults.text('text', text, { min: 1, max: MAX_TEXT_CHARACTERS });
}
