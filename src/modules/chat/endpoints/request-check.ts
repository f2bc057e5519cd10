import { isObject } from '../../../engine/json-value.js';
import { Faults } from '../../../platform/errors/fields.js';
import type { ChatBody, ChatRequest, RequestBody } from '../../../providers/llm/chat/chat-format.js';
import { MODEL_ENDPOINTS } from '../../../providers/llm/endpoints/all.js';
import type { EndpointName } from '../../../providers/llm/endpoints/model-endpoint.js';
import type { ProxyRequest } from '../../../providers/llm/provider.js';
import type { ChatRequestInput } from '../chat-request.scalar.js';

interface CalledApi {
  /** Default: chat completions. */
  endpoint?: EndpointName;
  headers?: Readonly<Record<string, string>> | undefined;
}

const MAX_MODEL = 255;

/** Validates the members that this service uses; the provider validates the others. Throws InvalidInputError. */
export function checkedRequest(input: ChatRequestInput, { endpoint: name, headers }: CalledApi): ProxyRequest {
  const { text, value, utf8 } = input;
  if (name === undefined) return checkedChatRequest(input);
  const endpoint = MODEL_ENDPOINTS[name];
  const faults = new Faults();
  checkModel(value.model, faults);
  endpoint.check(value, (member, message) => faults.add(member, message));
  faults.throwIfAny();
  return { text, value: value as RequestBody, utf8, endpoint, headers };
}

function checkedChatRequest({ text, value, utf8 }: ChatRequestInput): ChatRequest {
  const faults = new Faults();
  const { model, messages, stream } = value;
  checkModel(model, faults);
  if (messages === undefined) faults.add('messages', 'This field is required.');
  else if (!Array.isArray(messages) || messages.length === 0)
    faults.add('messages', 'Expected a list of at least one message.');
  else if (!messages.every(message => isObject(message) && typeof message.role === 'string'))
    faults.add('messages', 'Every message must be an object with a role.');
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    faults.add('stream', 'Must be a valid boolean.');
  faults.throwIfAny();
  return { text, value: value as ChatBody, utf8 };
}

function checkModel(model: unknown, faults: Faults): void {
  if (model === undefined) faults.add('model', 'This field is required.');
  else if (typeof model !== 'string') faults.add('model', 'Not a valid string.');
  else faults.text('model', model, { min: 1, max: MAX_MODEL });
}
