import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { routes as generatedRoutes } from '../generated/routes.js';
import { accepts, jsonOnly, streamTypes } from './accept.js';
import { bodyKinds } from './bodies/body-kinds.js';
import type { Caller, ParseBody, ReadBody, ReceivedFile, ReceiveFile } from './bodies/body-request.js';
import { setCacheHeaders } from './cache.js';
import { type RestError, RestFault, restErrorOf, restErrors } from './errors.js';
import { takeEtag } from './etag.js';
import { type Idempotency, readIdempotencyKey, replyOnce, requestText } from './idempotency.js';
import { valueAt } from './input/body-field.js';
import { isMultipart, readContentType } from './input/content-type.js';
import type { UnknownName } from './input/faults.js';
import { runPartsVariable } from './input/inputs.js';
import type { ToRestPath } from './input/rest-path.js';
import { readPath, readVariables } from './input/variables.js';
import { LazyOperation, type Operation } from './operation.js';
import { prefersStrict } from './preferences.js';
import { type Reply, sendReply } from './replies/reply.js';
import { replyKinds } from './replies/reply-kinds.js';
import { sendVerbatim, type VerbatimAnswer } from './replies/verbatim.js';
import type { AuthKind, Route } from './route.js';
import { pathValues, Router } from './router.js';
import { sendRestError } from './send-error.js';

export interface RestHandlerOptions<C> {
  readonly schema: GraphQLSchema;
  /** Authenticates the caller and creates the GraphQL context. Throws the same errors as resolvers. */
  readonly contextFor: (req: IncomingMessage, auth: AuthKind, res: ServerResponse) => C | Promise<C>;
  /** The kind of credentials, which decides the format of a RUN_INPUT body. */
  readonly callerOf?: (context: C) => Caller;
  /** Receives the files of MULTIPART bodies. Default: files are rejected. */
  readonly receiveFile?: ReceiveFile;
  /** Builds the value of a VERBATIM body. Default: its bytes. */
  readonly parseBody?: ParseBody;
  /** Maps an error without a code to an error with a code; undefined results in a 500 without details. */
  readonly toKnownError?: (error: unknown) => unknown;
  /** Stores responses by idempotency key. Default: the header `Idempotency-Key` is ignored. */
  readonly idempotency?: Idempotency<C>;
  /** Ids of the list items whose payloads were omitted to limit the size of the response, sent in the header `X-Scenarium-Shortened`. */
  readonly shortenedIdsOf?: (context: C) => readonly string[];
  /**
   * Called before the operation, with unknown members and parameters. In strict mode (`isStrict`) it throws for them. `toRestPath`
   * converts the paths of members that resolvers report.
   */
  readonly onNames?: (context: C, names: SentNames) => void;
  /** The warnings about the request for the header `X-Scenarium-Warnings`, in ASCII; undefined without warnings. */
  readonly warningsOf?: (context: C) => string | undefined;
  /** Called for every error that results in a 500. */
  readonly onError: (error: unknown, req: IncomingMessage) => void;
  /** Called with the route of each request. */
  readonly onRoute?: (route: Route) => void;
  /** Called with the inner status of each success that has one, such as 201 or 422 of a run. */
  readonly onInnerStatus?: (status: number) => void;
  /** Maximum nesting depth of a JSON body. Default: 64. */
  readonly maxDepth?: number;
  /** The routes. Default: the generated table. */
  readonly routes?: readonly Route[];
}

/** The names in a request that the route does not know, and how it names members. */
export interface SentNames {
  readonly unknown: readonly UnknownName[];
  readonly isStrict: boolean;
  readonly toRestPath: ToRestPath;
}

/** A request after the raw body parser. `body` is undefined for a request without a body. */
type Request = IncomingMessage & { readonly body?: unknown };
export type RestHandler = (req: Request, res: ServerResponse, next: () => void) => void;

/** Creates Connect-style middleware for all REST routes. Requests outside `/api/` and `/v1/` go to `next`. */
export function createRestHandler<C>(options: RestHandlerOptions<C>): RestHandler {
  const routes = options.routes ?? generatedRoutes;
  const router = new Router(routes.map(route => new LazyOperation(options.schema, route)));
  const notFound = createNotFound(routes);

  return (req, res, next) => {
    const [path = '/', query = ''] = splitOnce(req.url ?? '/', '?');
    const match = router.find(path);
    if (!match) return isBelowRest(path) ? sendRestError(res, notFound(path)) : next();
    const operation = match.routes.get(req.method === 'HEAD' ? 'GET' : (req.method ?? ''));
    const [first] = operation ? [operation] : match.routes.values();
    if (first) options.onRoute?.(first.route);
    if (req.method === 'OPTIONS') return sendOptions(res, [...match.routes.keys()]);
    if (!operation) {
      return sendRestError(res, {
        ...restErrors.METHOD_NOT_ALLOWED,
        allow: allowHeaderMethods([...match.routes.keys()]),
      });
    }
    if (!accepts(req.headers.accept, operation.route.reply === 'VERBATIM' ? streamTypes : jsonOnly))
      return sendRestError(res, restErrors.NOT_ACCEPTABLE);
    serve(options, operation, { req, res, path, query, values: match.values })
      .catch((error: unknown) => sendFailure(options, operation, req, res, error))
      // Without this, an exception from `sendFailure` would be an unhandled rejection, which ends the process.
      .catch((error: unknown) => {
        options.onError(error, req);
        res.destroy();
      });
  };
}

interface Exchange {
  readonly req: Request;
  readonly res: ServerResponse;
  readonly path: string;
  readonly query: string;
  readonly values: readonly string[];
}

async function serve<C>(options: RestHandlerOptions<C>, lazy: LazyOperation, exchange: Exchange): Promise<void> {
  const { req, res, path, query } = exchange;
  const operation = lazy.prepared;
  const { route } = operation;
  // Usually the API key is cached and the body is already read. Awaiting only real promises saves a tick per request.
  const contextOrPromise = options.contextFor(req, route.auth, res);
  const context = contextOrPromise instanceof Promise ? await contextOrPromise : contextOrPromise;
  const pathValuesByName = pathVariables(operation, exchange);
  const files: ReceivedFile[] = [];
  try {
    const read = readBody(options, operation, { req, context, files });
    const body = read instanceof Promise ? await read : read;
    const { values, unknown } = readVariables(operation, { query, headers: req.headers, body });
    const variables = { ...pathValuesByName, ...values };
    options.onNames?.(context, { unknown, isStrict: isStrictRequest(req, query), toRestPath: operation.toRestPath });
    if (unknown.length > 0) setWarnings(options, res, context);
    if (route.reply === 'VERBATIM')
      return await sendVerbatim(res, bodyOf(operation, await operation.execute(context, variables)) as VerbatimAnswer);
    const key = route.idempotencyKey && options.idempotency ? readIdempotencyKey(req) : undefined;
    if (key === undefined || !options.idempotency) {
      const reply = await replyOf(options, operation, context, variables);
      setWarnings(options, res, context);
      reportReply(options, res, reply);
      return sendOrNotModified(req, res, route, reply);
    }
    const sent = isForm(req) ? Buffer.from(fingerprintOf(body, files)) : bytesOf(req);
    const request = requestText(route.method, path.replace(/\/$/, ''), query, sent);
    const { reply, isReplayed } = await replyOnce(options.idempotency, { context, key, request }, reserved =>
      replyOf(options, operation, reserved, variables),
    );
    if (isReplayed) res.setHeader('Idempotent-Replayed', 'true');
    setWarnings(options, res, context);
    reportReply(options, res, reply);
    sendReply(res, reply);
  } finally {
    if (files.length > 0) await Promise.all(files.map(file => file.discard()));
  }
}

/** Whether warnings reject the request: `?strict=true`, or the header `Prefer: handling=strict`. */
function isStrictRequest({ headers: { prefer } }: Request, query: string): boolean {
  if (prefersStrict(prefer)) return true;
  return query.includes('strict') && new URLSearchParams(query).get('strict') === 'true';
}

function setWarnings<C>({ warningsOf }: RestHandlerOptions<C>, res: ServerResponse, context: C): void {
  const warnings = warningsOf?.(context);
  if (warnings !== undefined) res.setHeader('X-Scenarium-Warnings', warnings);
}

function pathVariables({ route, inputs }: Operation, { values }: Exchange): Record<string, unknown> {
  const texts = pathValues(route, values);
  if (texts === null) throw new RestFault('NOT_FOUND');
  return readPath(inputs, texts);
}

interface RequestParts<C> {
  readonly req: Request;
  readonly context: C;
  /** Collects the received files, which are discarded after the request. */
  readonly files: ReceivedFile[];
}

function readBody<C>(
  options: RestHandlerOptions<C>,
  { route, inputs }: Operation,
  { req, context, files }: RequestParts<C>,
): ReturnType<ReadBody> {
  const contentType = readContentType(req.headers['content-type']);
  if (isMultipart(contentType.type)) assertTakesForm(route, inputs);
  return bodyKinds[route.body]({
    bytes: bytesOf(req),
    contentType,
    caller: options.callerOf?.(context) ?? null,
    maxDepth: options.maxDepth ?? 64,
    req,
    inputs,
    parseBody: options.parseBody ?? asBytes,
    receive: async (content, filename) => {
      if (!options.receiveFile) throw new RestFault('UNSUPPORTED_MEDIA_TYPE', 'This service does not accept files.');
      const file = await options.receiveFile(content, filename);
      files.push(file);
      return file;
    },
  });
}

/** @throws RestFault when the route does not read a multipart form. A body that is ignored may have any type. */
function assertTakesForm({ body }: Route, inputs: Operation['inputs']): void {
  if (body === 'MULTIPART' || body === 'NONE') return;
  const types = body === 'RUN_INPUT' ? 'application/json or text/plain' : 'application/json';
  if (inputs.some(({ name, location }) => location === 'whole' && name === runPartsVariable)) return;
  const remedy = `Send ${types}. In place of a file, send the id of an uploaded file.`;
  throw new RestFault('UNSUPPORTED_MEDIA_TYPE', `Unsupported media type. ${remedy}`);
}

function isForm(req: Request): boolean {
  return isMultipart(readContentType(req.headers['content-type']).type);
}

function bytesOf({ body }: Request): Buffer {
  return Buffer.isBuffer(body) ? body : NOTHING;
}

const NOTHING = Buffer.alloc(0);

const asBytes: ParseBody = (_text, _value, utf8) => utf8;

/** A text that is equal for repetitions of a form, in contrast to its bytes, which contain a random boundary. */
function fingerprintOf(body: Record<string, unknown>, files: readonly unknown[]): string {
  return JSON.stringify(body, (_, value) => (files.includes(value) ? (value as ReceivedFile).fingerprint : value));
}

/** Reports the inner status and sets the header for shortened items. */
function reportReply<C>({ onInnerStatus }: RestHandlerOptions<C>, res: ServerResponse, reply: Reply): void {
  if (reply.innerStatus !== undefined) onInnerStatus?.(reply.innerStatus);
  if (reply.shortened) res.setHeader('X-Scenarium-Shortened', reply.shortened.join(', '));
}

async function replyOf<C>(
  { shortenedIdsOf }: RestHandlerOptions<C>,
  operation: Operation,
  context: C,
  variables: Record<string, unknown>,
): Promise<Reply> {
  const { route, etagPath } = operation;
  const value = bodyOf(operation, await operation.execute(context, variables));
  const etag = etagPath ? { etag: takeEtag(value, etagPath) } : {};
  const shaped = operation.shape ? operation.shape(value) : value;
  const reply = { ...replyKinds[route.reply as keyof typeof replyKinds](route, shaped), ...etag };
  const shortened = shortenedIdsOf?.(context) ?? [];
  return shortened.length > 0 ? { ...reply, shortened } : reply;
}

function bodyOf({ bodyPath }: Operation, result: ExecutionResult): unknown {
  // REST has no partial responses: the first error decides.
  const [error] = result.errors ?? [];
  if (error) throw error;
  return valueAt(bodyPath, result.data);
}

/** Sends the reply, or 304 when the client already has it. */
function sendOrNotModified(req: Request, res: ServerResponse, { maxAge }: Route, reply: Reply): void {
  if (maxAge === null || reply.text === null || !setCacheHeaders(req, res, reply.text, maxAge))
    return sendReply(res, reply);
  res.writeHead(304).end();
}

function sendFailure<C>(
  options: RestHandlerOptions<C>,
  operation: LazyOperation,
  req: Request,
  res: ServerResponse,
  error: unknown,
): void {
  const { route } = operation;
  const restError = restErrorOf(error, route.errors) ?? restErrorOf(options.toKnownError?.(error), route.errors);
  if (!restError) options.onError(originalOf(error), req);
  sendRestError(res, {
    ...(restError ?? restErrors.INTERNAL_SERVER_ERROR),
    auth: route.auth,
    // A RestFault already has REST paths.
    toRestPath: error instanceof RestFault ? path => path : restError && operation.prepared.toRestPath,
  });
}

function originalOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'originalError' in error && error.originalError
    ? error.originalError
    : error;
}

/** Responds to OPTIONS with the methods of the path. It requires no credentials, because the OpenAPI document is public. */
function sendOptions(res: ServerResponse, methods: string[]): void {
  res.writeHead(204, { Allow: allowHeaderMethods(methods).join(', ') }).end();
}

/** Whether a path belongs to the REST API. */
export function isBelowRest(path: string): boolean {
  return path.startsWith('/api/') || isModelPath(path);
}

function isModelPath(path: string): boolean {
  return path.startsWith('/v1/');
}

/** Builds the error for unknown paths. Below `/v1/`, clients of other services expect paths that do not exist here, so it names the existing ones. */
function createNotFound(routes: readonly Route[]): (path: string) => RestError {
  const existing = routes
    .filter(({ path }) => isModelPath(path))
    .map(({ method, path }) => `${method} ${path.replace('{+', '{')}`);
  if (existing.length === 0) return () => restErrors.NOT_FOUND;
  const ofModels = { ...restErrors.NOT_FOUND, detail: `Unknown path. Available: ${existing.join(', ')}.` };
  return path => (isModelPath(path) ? ofModels : restErrors.NOT_FOUND);
}

function allowHeaderMethods(methods: string[]): string[] {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
