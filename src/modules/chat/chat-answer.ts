import type { Readable } from 'node:stream';
import { describeAvailableModels } from '../../engine/model-names.js';
import { DomainError, InvalidInputError, RateLimitedError, UnavailableError } from '../../platform/errors/errors.js';
import { chatErrorType } from '../../providers/llm/chat/chat-error.js';
import type { ChatError } from '../../providers/llm/chat/chat-format.js';
import type { ModelEndpoint } from '../../providers/llm/endpoints/model-endpoint.js';

/** The HTTP response to a chat client. The body is sent unchanged. */
export interface ChatAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | Readable;
}

/** A call that failed in this service, with its error in the chat format. */
export class ChatRefusal extends Error {
  constructor(
    readonly status: number,
    readonly error: ChatError,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(error.message);
    this.name = 'ChatRefusal';
  }

  /** The response in the format of the called API. Default: chat completions. */
  toAnswer(endpoint?: ModelEndpoint): ChatAnswer {
    const value = endpoint ? endpoint.error(this.status, this.error) : { error: this.error };
    const body = Buffer.from(JSON.stringify(value));
    return { status: this.status, headers: { ...this.headers, 'content-type': 'application/json' }, body };
  }
}

/** Status 400 for an invalid request. */
export function badRequest(param: string, message: string, code: string): ChatRefusal {
  return new ChatRefusal(400, { message, type: chatErrorType(400), param, code });
}

/** Status 400 for a model that no configured provider serves. `names` are the available models. */
export function unknownModel(model: string | undefined, names: readonly string[]): ChatRefusal {
  const message = `No configured provider serves the model ${alternatives(model, names)}`;
  return badRequest('model', message, 'model_not_found');
}

/** Status 404 for a model that is not available. `names` are the available models. */
export function noModel(model: string, names: readonly string[]): DomainError {
  return new DomainError('NOT_FOUND', `No configured provider lists the model ${alternatives(model, names)}`);
}

const MAX_NAME = 100;

function alternatives(model = '', names: readonly string[]): string {
  const shown = model.slice(0, MAX_NAME);
  return `${JSON.stringify(shown)}. ${describeAvailableModels(shown, names)}. GET /v1/models lists all models.`;
}

/** A timeout. `x-should-retry: false` stops the retries of the official client, which would each cost money. */
export function timedOut(seconds: number): ChatRefusal {
  const message = `The model provider did not answer within ${seconds} seconds.`;
  return new ChatRefusal(
    500,
    { message, type: 'timeout', param: null, code: 'timeout' },
    { 'x-should-retry': 'false' },
  );
}

/** Status 500 for a failed call of a provider. */
export function chatFailure(code: string, message: string): ChatRefusal {
  return new ChatRefusal(500, { message, type: chatErrorType(500), param: null, code });
}

/** Maps a failed call to an error for GraphQL. `error` is the chat error of the provider or of this service. */
export function domainErrorOf(status: number, error: Partial<ChatError>): DomainError {
  const message =
    typeof error.message === 'string' && error.message !== ''
      ? error.message
      : `The model provider answered ${status}.`;
  if (status === 429) return new RateLimitedError(1, message);
  if (status < 500) return new InvalidInputError({ [error.param || 'request']: [message] });
  return new UnavailableError(message, 1);
}
