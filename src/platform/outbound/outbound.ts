import { lookup } from 'node:dns/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Dispatcher } from 'undici';
import { currentTraceparent } from '../tracing/work-context.js';
import { AddressPolicy } from './address-policy.js';
import { codingsOf, decodedBody, isEmpty, tooLarge } from './body.js';
import type { Outbound, OutboundAnswer, OutboundRequest, RedirectCheck, SizedStream } from './calls.js';
import { connectorOptions, guardedConnector, type Resolve } from './connector.js';
import { Deadline } from './deadline.js';
import { OutboundError, toOutboundError } from './errors.js';
import { createFetch } from './fetch.js';
import {
  type Headers,
  headersForOtherOrigin,
  headersWithoutBody,
  type RawHeaders,
  requestHeaders,
  responseHeaders,
} from './headers.js';
import { redirectOf } from './redirect.js';
import { fetchStreamedAnswer } from './streamed-answer.js';
import { parseTarget, type Target, targetOf } from './target.js';
import { type Barrier, fetchWholeAnswer } from './whole-answer.js';

export type { Barrier, Outbound, OutboundAnswer, OutboundRequest };

export interface OutboundOptions {
  /** Entries of OUTBOUND_ALLOW: host, host:port or CIDR. An invalid entry throws. */
  allow: readonly string[];
  /** Allows any address, for addresses that the operator configured. All other limits still apply. */
  trusted?: boolean;
  /** Maximum concurrent connections to one server. Default 256. */
  connections?: number;
  /** Resolves host names. Default: the resolver of the system. */
  resolve?: Resolve;
  /** Releases whole responses together. Default: each continues independently. */
  barrier?: Barrier;
}

const maxRedirects = 5;
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Creates an HTTP client that checks addresses, sizes and redirects. The connection pool opens at the first call. */
export function createOutbound(options: OutboundOptions): Outbound {
  const openAgent = agentOpener(options);
  let agent: Promise<Dispatcher> | undefined;
  let readyAgent: Dispatcher | undefined;

  const openOnce = (deadline: Deadline): Promise<Dispatcher> => {
    agent ??= openAgent(created => {
      readyAgent = created;
    });
    return deadline.race(agent);
  };

  const exchangeOpen: Exchange<Readable> = async (hop, request, deadline) => {
    const dispatcher = readyAgent ?? (await openOnce(deadline));
    return fetchStreamedAnswer(dispatcher, optionsOf(hop), request, deadline.signal, callErrorMapper(deadline));
  };

  const exchangeWhole: Exchange<Buffer> = (hop, request, deadline) => {
    const ask = (dispatcher: Dispatcher) =>
      fetchWholeAnswer(dispatcher, optionsOf(hop), request, deadline.signal, options.barrier);
    return readyAgent ? ask(readyAgent) : openOnce(deadline).then(ask);
  };

  /**
   * Runs a call under a deadline. An abort by the caller rejects with the caller's reason. This is one function, because
   * each suspended async function uses memory while the server responds.
   */
  const call = async <Body extends Buffer | Readable>(
    request: OutboundRequest,
    exchange: Exchange<Body>,
    build: AnswerBuilder<Body>,
  ): Promise<OutboundAnswer<Body>> => {
    const deadline = new Deadline(request.signal, request.timeoutMs);
    try {
      let hop = firstHop(request);
      for (let redirects = 0; ; redirects++) {
        const answer = await exchange(hop, request, deadline);
        const location = request.followRedirects ? redirectOf(answer.statusCode, answer.headers) : undefined;
        if (location === undefined) {
          const result = build(hop, answer, request, deadline);
          return result instanceof Promise ? await result : result;
        }
        if (!Buffer.isBuffer(answer.body)) answer.body.on('error', () => {}).destroy();
        if (redirects === maxRedirects) throw tooManyRedirects();
        hop = checkedHop(nextHop(hop, answer.statusCode, location), request.checkRedirect);
      }
    } catch (error) {
      deadline.release();
      throw toCallError(error, deadline);
    }
  };

  const open = (request: OutboundRequest) => call(request, exchangeOpen, toStreamedAnswer);
  return {
    request: request => call(request, exchangeWhole, toDecodedAnswer),
    open,
    fetch: createFetch(open),
    close: async () => (await agent)?.close(),
  };
}

/** Loading the HTTP client takes 90 ms and 20 MB, so it is loaded at the first call. */
function agentOpener(options: OutboundOptions): (onOpen: (agent: Dispatcher) => void) => Promise<Dispatcher> {
  const policy = new AddressPolicy(options.allow);
  const resolve = options.resolve ?? (hostname => lookup(hostname, { all: true }));
  return async onOpen => {
    const { Agent, Pool, buildConnector } = await import('undici');
    const connect = options.trusted
      ? buildConnector(connectorOptions)
      : guardedConnector(buildConnector, policy, resolve);
    // Time limits are set per call. They include name lookup and connecting.
    const agent = new Agent({
      connect,
      connections: options.connections ?? 256,
      headersTimeout: 0,
      bodyTimeout: 0,
      // HTTP/1.1 only. The option is not set on the agent, which would then build a new origin key at each call.
      factory: (origin, poolOptions) => new Pool(origin, { ...poolOptions, allowH2: false }),
    });
    onOpen(agent);
    return agent;
  };
}

function tooManyRedirects(): OutboundError {
  return new OutboundError('too_many_redirects', `More than the allowed ${maxRedirects} redirects.`);
}

function toCallError(error: unknown, { signal }: Deadline): Error {
  return signal.aborted ? (signal.reason as Error) : toOutboundError(error);
}

const callErrorMapper = (deadline: Deadline) => (error: Error) => toCallError(error, deadline);

interface RequestHop {
  target: Target;
  method: string;
  headers: Readonly<Headers>;
  body: string | Uint8Array | Readable | undefined;
}

interface ExchangeResult<Body> {
  statusCode: number;
  headers: RawHeaders;
  body: Body;
}

type Exchange<Body> = (hop: RequestHop, request: OutboundRequest, deadline: Deadline) => Promise<ExchangeResult<Body>>;
/** Converts the response of the last hop to the result. */
type AnswerBuilder<Body> = (
  hop: RequestHop,
  answer: ExchangeResult<Body>,
  request: OutboundRequest,
  deadline: Deadline,
) => OutboundAnswer<Body> | Promise<OutboundAnswer<Body>>;

function optionsOf({ target, method, headers, body }: RequestHop): Dispatcher.RequestOptions {
  const options = { origin: target.origin, path: target.path, method, headers, body };
  return options as Dispatcher.RequestOptions;
}

function firstHop(request: OutboundRequest): RequestHop {
  const method = request.method.toUpperCase();
  if (!methods.has(method)) throw new OutboundError('bad_request', `method must be one of ${[...methods].join(', ')}.`);
  const target = targetOf(request.url);
  const own = requestHeaders(request.headers ?? {});
  const traceparent = own.traceparent ?? currentTraceparent();
  const headers = traceparent === undefined ? own : { ...own, traceparent };
  const { body } = request;
  if (!isSizedStream(body)) return { target, method, headers, body };
  if (request.followRedirects) throw new OutboundError('bad_request', 'A streamed body cannot be sent twice.');
  return { target, method, headers: { ...headers, 'content-length': String(body.length) }, body: body.stream };
}

function isSizedStream(body: OutboundRequest['body']): body is SizedStream {
  return typeof body === 'object' && 'stream' in body;
}

/** Follows redirects as browsers do: 303, and 301 or 302 after a POST, continue with GET and without the body. */
function nextHop(from: RequestHop, status: number, location: string): RequestHop {
  const target = parseTarget(location, from.target.url);
  const toGet = (status === 303 && from.method !== 'HEAD') || (status < 303 && from.method === 'POST');
  let headers = target.origin === from.target.origin ? from.headers : headersForOtherOrigin(from.headers);
  if (!toGet) return { ...from, target, headers };
  headers = headersWithoutBody(headers);
  return { target, method: 'GET', headers, body: undefined };
}

function checkedHop(hop: RequestHop, check: RedirectCheck | undefined): RequestHop {
  const { target, headers, body } = hop;
  try {
    check?.({ url: target.url, headers, body: body instanceof Readable ? undefined : body });
  } catch (cause) {
    throw new OutboundError('address_refused', 'The redirect leads to an address that is not allowed.', { cause });
  }
  return hop;
}

/** Returns the body as a stream, decoded and limited. */
const toStreamedAnswer: AnswerBuilder<Readable> = async (hop, answer, { maxResponseBytes }, deadline) => {
  const headers = responseHeaders(answer.headers);
  if (hop.method !== 'HEAD' && Number(headers['content-length']) > maxResponseBytes) {
    answer.body.on('error', () => {}).destroy();
    throw tooLarge(maxResponseBytes);
  }
  let codings = codingsOf(headers['content-encoding']);
  if (codings.length > 0 && (hop.method === 'HEAD' || (await deadline.race(isEmpty(answer.body))))) codings = [];
  const body =
    codings.length === 0 ? answer.body : decodedBody(answer.body, codings, maxResponseBytes, callErrorMapper(deadline));
  deadline.stopTimer();
  body.once('close', () => deadline.release());
  return toAnswer(hop, answer, headers, codings, body);
};

/** Returns a complete body, decoded and limited. */
const toDecodedAnswer: AnswerBuilder<Buffer> = (hop, answer, { maxResponseBytes }, deadline) => {
  const headers = responseHeaders(answer.headers);
  const codings = answer.body.length === 0 ? [] : codingsOf(headers['content-encoding']);
  const done = (body: Buffer) => {
    deadline.release();
    return toAnswer(hop, answer, headers, codings, body);
  };
  if (codings.length === 0) return done(answer.body);
  const source = Readable.from([answer.body]);
  const bytes = decodedBody(source, codings, maxResponseBytes, callErrorMapper(deadline));
  return deadline.race(buffer(bytes)).then(done);
};

function toAnswer<Body>(
  { target }: RequestHop,
  { statusCode: status, headers: raw }: ExchangeResult<unknown>,
  headers: Headers,
  codings: readonly string[],
  body: Body,
): OutboundAnswer<Body> {
  if (codings.length > 0) {
    delete headers['content-encoding'];
    delete headers['content-length'];
  }
  const headerList = () =>
    Object.entries(raw)
      .filter(([name]) => name in headers)
      .flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]));
  return { status, headers, headerList, url: target.url, body };
}
