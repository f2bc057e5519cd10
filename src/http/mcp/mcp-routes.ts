import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { domainErrorOf, httpStatusOf } from '../../graphql/errors.js';
import { callerOf, startRechecks } from '../../graphql/subscriptions/subscriber-credentials.js';
import { SubscriberSlots } from '../../graphql/subscriptions/subscriber-slots.js';
import type { RequestContext } from '../../modules/accounts/request-context.js';
import {
  parseMessage,
  RPC_CODES,
  RpcError,
  type RpcId,
  toErrorMessage,
  toRpcError,
} from '../../modules/mcp-server/protocol/json-rpc.js';
import type { McpOrigin } from '../../modules/mcp-server/protocol/mcp-endpoint.js';
import type { McpEvent } from '../../modules/mcp-server/protocol/tool-calls.js';
import { DomainError, RateLimitedError, UnavailableError } from '../../platform/errors/errors.js';
import { isInteger } from '../../platform/sql/max-integer.js';
import { recordOutcome } from '../../platform/tracing/work-context.js';
import type { ClientAddress } from '../client-address.js';
import { maintenanceCheck, releaseFromLimit } from '../middleware/request-checks.js';
import { isHttps } from '../middleware/security-headers.js';
import { OpenStreams } from '../open-streams.js';
import type { HttpOptions, HttpServices } from '../options.js';
import { wholeBody } from '../whole-body.js';
import {
  headerOf,
  originRejection,
  parseBody,
  postRejection,
  type Rejection,
  versionRejection,
} from './mcp-request.js';
import { McpRequestMetrics } from './mcp-request-metrics.js';
import { sendEvents } from './mcp-stream.js';

/** `/mcp` and `/mcp/{project id}`: the MCP server of a project over streamable HTTP. */
const PATHS = ['/mcp', '/mcp/:project'];
const METADATA_PATH = '/.well-known/oauth-protected-resource';
/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 5;

/** The HTTP side of the MCP server: credentials, headers, streams and errors. */
export class McpRoutes {
  readonly #streams = new OpenStreams();
  readonly #slots: SubscriberSlots;
  readonly #metrics: McpRequestMetrics;

  constructor(
    private readonly services: HttpServices,
    private readonly options: HttpOptions,
    private readonly addressOf: ClientAddress,
  ) {
    this.#slots = new SubscriberSlots(options.socketLimits.perUser);
    this.#metrics = new McpRequestMetrics(options.telemetry.metrics, () => services.mcp.methods);
    options.telemetry.metrics.add({
      name: 'scenarium_mcp_streams_open',
      help: 'Streams of tool calls of MCP clients that are open in this process.',
      read: () => [{ value: this.#streams.size }],
    });
  }

  get router(): Router {
    const router = Router();
    const check = maintenanceCheck(this.services.maintenance);
    const body = wholeBody({ limit: this.options.maxBodyBytes, type: () => true });
    router.all(PATHS, this.#metrics.handler);
    router.post(PATHS, check, body, this.#handle(this.#post));
    router.get(PATHS, check, this.#handle(this.#resume));
    router.all(PATHS, (_request, response) => {
      sendError(response.setHeader('Allow', 'POST, GET'), 405, null, wrongMethod('Use POST.'));
    });
    const { issuer } = this.options;
    if (issuer) router.get([METADATA_PATH, `${METADATA_PATH}/*path`], metadataHandler(issuer.issuer));
    return router;
  }

  /** Ends all streams, so that clients resume at another process. */
  close(): void {
    this.#streams.close();
  }

  /** Answers one message of a client. */
  readonly #post = async (request: Request, response: Response): Promise<void> => {
    const rejection = originRejection(request, this.options.corsOrigins) ?? postRejection(request);
    if (rejection) return sendRejection(response, rejection);
    const context = await this.#contextOf(request, response);
    const message = parseMessage(parseBody(request.body));
    const method = message.kind === 'response' ? 'response' : message.method;
    const id = message.kind === 'request' ? message.id : null;
    response.locals.method = method;
    response.locals.id = id;
    const controller = new AbortController();
    const origin = originOf(request, context, controller.signal);
    // Taken before the call starts a run, which would otherwise continue although the client gets 429.
    const releaseSlot = method === 'tools/call' ? this.#takeSlot(context.viewer.userId) : undefined;
    try {
      const reply = await this.services.mcp.receive(origin, message);
      if (reply.kind === 'stream') return await this.#stream(request, response, { controller, events: reply.events });
      if (reply.kind === 'accepted') return void response.status(202).end();
      if (reply.sessionId !== undefined) response.setHeader('Mcp-Session-Id', reply.sessionId);
      response.json(reply.message);
    } finally {
      releaseSlot?.();
    }
  };

  /** Continues the stream of a tool call. The server sends no messages outside of calls. */
  readonly #resume = async (request: Request, response: Response): Promise<void> => {
    const rejection = originRejection(request, this.options.corsOrigins) ?? versionRejection(request);
    if (rejection) return sendRejection(response, rejection);
    const lastEventId = headerOf(request, 'last-event-id');
    response.locals.method = 'resume';
    if (lastEventId === null) {
      response.setHeader('Allow', 'POST, GET');
      return sendError(response, 405, null, wrongMethod('GET resumes a stream: send Last-Event-ID, or use POST.'));
    }
    const context = await this.#contextOf(request, response);
    const controller = new AbortController();
    const releaseSlot = this.#takeSlot(context.viewer.userId);
    try {
      const events = await this.services.mcp.resume(originOf(request, context, controller.signal), lastEventId);
      await this.#stream(request, response, { controller, events });
    } finally {
      releaseSlot();
    }
  };

  /** An API key may also be the bearer token, because most MCP clients send no other header. */
  async #contextOf(request: Request, response: Response): Promise<RequestContext> {
    const { headers } = request;
    return this.services.identity.mcpContextFor({ headers, address: this.addressOf(request), cost: 1, response });
  }

  async #stream(
    request: Request,
    response: Response,
    { controller, events }: { controller: AbortController; events: AsyncIterable<McpEvent> },
  ): Promise<void> {
    releaseFromLimit(response);
    recordOutcome({ route: '/mcp (stream)' });
    const { identity } = this.services;
    const credentials = { headers: request.headers, address: this.addressOf(request), cost: 0, response: null };
    const check = () => callerOf(async () => identity.mcpContextFor(credentials));
    const send = async () => {
      const stopRechecks = startRechecks(check, () => controller.abort(), this.options);
      try {
        await sendEvents(response, events);
      } finally {
        stopRechecks();
      }
    };
    await this.#streams.hold(response, send, controller);
  }

  #takeSlot(userId: number): () => void {
    const { sockets, perUser } = this.options.socketLimits;
    if (this.#streams.size >= sockets) throw new UnavailableError('Too many MCP streams are open.', RETRY_AFTER);
    const release = this.#slots.acquire(userId);
    if (release) return release;
    throw new RateLimitedError(RETRY_AFTER, `A user may have at most ${perUser} open MCP streams at a time.`);
  }

  #handle(work: (request: Request, response: Response) => Promise<void>): RequestHandler {
    return async (request, response) => {
      recordOutcome({ route: '/mcp' });
      try {
        await work(request, response);
      } catch (error) {
        this.#sendFailure(request, response, error);
      }
    };
  }

  #sendFailure(request: Request, response: Response, error: unknown): void {
    const { id = null } = response.locals as { id?: RpcId | null };
    response.locals.hasFailed = true;
    if (response.headersSent) {
      this.options.log.error({ err: error }, 'MCP stream failed');
      return void response.destroy();
    }
    if (error instanceof RpcError) return sendError(response, statusOf(error, id), id, error);
    const known = error instanceof DomainError ? error : domainErrorOf(error);
    if (!(known instanceof DomainError)) {
      this.options.log.error({ err: error }, 'MCP request failed');
      const message = `Internal error. Report the request id ${String(response.getHeader('X-Request-Id') ?? '')}.`;
      return sendError(response, 500, id, new RpcError(RPC_CODES.internal, message));
    }
    const { code, retryAfter } = known.extensions;
    const status = httpStatusOf(code) ?? (id === null ? 400 : 200);
    if (status === 401) response.setHeader('WWW-Authenticate', this.#challenge(request));
    if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
    sendError(response, status, id, toRpcError(known));
  }

  #challenge(request: Request): string {
    if (!this.options.issuer) return 'Bearer';
    return `Bearer resource_metadata="${baseOf(request)}${METADATA_PATH}${request.path}"`;
  }
}

function originOf(request: Request, context: RequestContext, signal: AbortSignal): McpOrigin {
  const { project } = request.params as { project?: string };
  return { context, projectId: projectOf(project), sessionId: headerOf(request, 'mcp-session-id'), signal };
}

function projectOf(segment: string | undefined): number | null {
  if (segment === undefined) return null;
  if (isInteger(segment)) return Number(segment);
  throw new RpcError(RPC_CODES.invalidRequest, 'The path must be /mcp or /mcp/{project id}.');
}

/** Answers with the metadata of a protected resource (RFC 9728). The external issuer issues the tokens. */
function metadataHandler(issuer: string): RequestHandler {
  return (request, response, next) => {
    const path = request.path.slice(METADATA_PATH.length) || '/mcp';
    if (!/^\/mcp(?:\/\d{1,10})?$/.test(path)) return next();
    response.json({
      resource: `${baseOf(request)}${path}`,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      resource_name: 'Scenarium',
    });
  };
}

function baseOf({ headers, protocol }: express.Request): string {
  const scheme = isHttps({ headers }) ? 'https' : protocol;
  return `${scheme}://${/^[\w.:[\]-]{1,255}$/.test(headers.host ?? '') ? headers.host : ''}`;
}

function statusOf({ code }: RpcError, id: RpcId | null): number {
  if (code === RPC_CODES.sessionNotFound) return 404;
  return id === null ? 400 : 200;
}

function wrongMethod(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidRequest, message);
}

function sendRejection(response: Response, { status, error }: Rejection): void {
  sendError(response, status, null, error);
}

function sendError(response: Response, status: number, id: RpcId | null, error: RpcError): void {
  response.status(status).json(toErrorMessage(id, error));
}
