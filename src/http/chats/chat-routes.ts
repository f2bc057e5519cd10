import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { restErrors } from '../../../rest-compat/runtime/errors.js';
import { sendRestError } from '../../../rest-compat/runtime/send-error.js';
import { AddressLimit } from '../../modules/accounts/users/address-limit.js';
import type { AcceptedMessage } from '../../modules/triggers/chat/chat-receiver.js';
import type { StoredMessage } from '../../modules/triggers/chat/conversations.js';
import { isUuid } from '../../platform/crypto/uuid.js';
import { InvalidInputError, NotFoundError } from '../../platform/errors/errors.js';
import { recordOutcome } from '../../platform/tracing/work-context.js';
import type { ClientAddress } from '../client-address.js';
import { sendEventStream } from '../event-stream.js';
import { maintenanceCheck, releaseFromLimit } from '../middleware/request-checks.js';
import { OpenStreams } from '../open-streams.js';
import type { HttpOptions, HttpServices } from '../options.js';
import { readPage } from '../pages.js';
import { wholeBody } from '../whole-body.js';

/** Messages that one client network may send to all chats of this process in a minute. */
const MESSAGES_PER_MINUTE = 20;
const MAX_BODY_BYTES = 65_536;
/** The page loads its script, its style and its messages from this service only. */
const PAGE_POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'"],
];

type TokenHandler = (request: Request<{ token: string }>, response: Response) => Promise<void>;

/**
 * `/chats/{token}`: the pages of public chats, their embeddable scripts and their messages. They need no credentials. Requests to unknown
 * addresses and wrong messages are limited by client address, as calls of webhooks are; messages have a limit of their own.
 */
export class ChatRoutes {
  readonly #open = new OpenStreams();
  readonly #messages = new AddressLimit(MESSAGES_PER_MINUTE);
  readonly #page: string | null;
  readonly #script: string | null;

  constructor(
    private readonly services: HttpServices,
    { telemetry }: Pick<HttpOptions, 'telemetry'>,
    private readonly addressOf: ClientAddress,
    publicDir: string,
  ) {
    this.#page = readPage(publicDir, 'chat');
    this.#script = readScript(publicDir);
    telemetry.metrics.add({
      name: 'scenarium_chat_answers_awaited',
      help: 'Messages of public chats whose visitors wait for an answer in this process.',
      read: () => [{ value: this.#open.size }],
    });
  }

  get router(): Router {
    const router = Router();
    const check = maintenanceCheck(this.services.maintenance);
    const body = wholeBody({ limit: MAX_BODY_BYTES, type: ({ headers }) => isJson(headers['content-type']) });
    const add = (route: string, answer: TokenHandler) => this.#handler(`/chats/{token}${route}`, answer);
    router.get('/chats/:token', check, add('', this.#sendPage));
    router.get('/chats/:token/embed.js', check, add('/embed.js', this.#sendScript));
    router.get('/chats/:token/conversation', check, add('/conversation', this.#sendConversation));
    router.post('/chats/:token/messages', check, body, add('/messages', this.#receive));
    return router;
  }

  /** Ends all waits. Visitors get their answers from another process. */
  close(): void {
    this.#open.close();
  }

  #handler(route: string, answer: TokenHandler): RequestHandler<{ token: string }> {
    const { anonymousLimit } = this.services;
    return async (request, response) => {
      recordOutcome({ route });
      const address = this.addressOf(request);
      const seconds = anonymousLimit.secondsToWait(address);
      if (seconds > 0) return sendRestError(response, { ...restErrors.RATE_LIMITED, retryAfter: seconds });
      response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
      try {
        await answer(request, response);
      } catch (error) {
        if (error instanceof NotFoundError || error instanceof InvalidInputError) anonymousLimit.count(address);
        throw error;
      }
    };
  }

  /** An unknown address has the same page, which says so. */
  readonly #sendPage: TokenHandler = async ({ params }, response) => {
    const origins = await this.#originsOf(params.token);
    if (origins === null) response.status(404);
    sendFile(response, 'html', this.#page, [
      ...PAGE_POLICY,
      `frame-ancestors ${origins?.length ? origins.join(' ') : "'none'"}`,
    ]);
  };

  async #originsOf(token: string): Promise<readonly string[] | null> {
    try {
      return await this.services.chats.originsOf(token);
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  readonly #sendScript: TokenHandler = async ({ params }, response) => {
    const origins = await this.services.chats.originsOf(params.token);
    if (origins.length === 0) throw new NotFoundError();
    // Pages that require it may load the script, too.
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
    sendFile(response, 'js', this.#script, ["default-src 'none'"]);
  };

  readonly #sendConversation: TokenHandler = async ({ params, headers }, response) => {
    const conversation = headers['x-conversation'] ?? null;
    if (conversation !== null && !isUuid(conversation))
      throw new InvalidInputError({ 'X-Conversation': ['Give a UUID in lower case.'] });
    const { title, greeting, messages } = await this.services.chats.show(params.token, conversation);
    response.json({ title, greeting, messages: messages.map(toJson) });
  };

  readonly #receive: TokenHandler = async (request, response) => {
    const seconds = this.#messages.count(this.addressOf(request));
    if (seconds > 0) return sendRestError(response, { ...restErrors.RATE_LIMITED, retryAfter: seconds });
    const sent = await this.services.chats.send(request.params.token, parseBody(request.body));
    releaseFromLimit(response);
    await this.#open.hold(response, ({ signal }) => sendEventStream(response, eventsOf(sent, response, signal)));
  };
}

/** The stored message, the steps of its run, and the message with its answer, which is still pending if the wait is over. */
async function* eventsOf(
  { message, answer }: AcceptedMessage,
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield formatEvent('message', toJson(message));
  const onStep = (label: string) => {
    if (!response.destroyed) response.write(formatEvent('step', { label }));
  };
  yield formatEvent('answer', toJson(await answer({ signal, onStep })));
}

function formatEvent(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function toJson({ id, text, answer, state, createdAt }: StoredMessage) {
  return { id, text, answer, state, created_at: createdAt };
}

function isJson(type: string | undefined): boolean {
  return type?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

/** Requires the type JSON, so that browsers send messages of other sites only with the permission of CORS, which chats do not give. */
function parseBody(body: unknown): unknown {
  try {
    if (Buffer.isBuffer(body)) return JSON.parse(body.toString());
  } catch {
    // Not JSON.
  }
  throw new InvalidInputError({ nonFieldErrors: ['Send a JSON object with the content type application/json.'] });
}

function sendFile(response: Response, type: string, content: string | null, policy: readonly string[]): void {
  response.set({ 'Content-Security-Policy': policy.join('; '), 'Referrer-Policy': 'no-referrer' });
  if (content === null) response.status(503).json({ detail: 'The page is not built. Run npm run build.' });
  else response.type(type).send(content);
}

function readScript(publicDir: string): string | null {
  try {
    return readFileSync(path.join(publicDir, 'chat/embed.js'), 'utf8');
  } catch {
    return null;
  }
}
