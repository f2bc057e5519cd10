import { lookup } from 'node:dns/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Dispatcher } from 'undici';
import { AddressPolicy } from './outbound/address-policy.js';
import { codingsOf, decodedBody, isEmpty, tooLarge } from './outbound/body.js';
import type { Outbound, OutboundAnswer, OutboundRequest, SizedStream } from './outbound/calls.js';
import { connectorOptions, guardedConnector, type Resolve } from './outbound/connector.js';
import { Deadline } from './outbound/deadline.js';
import { OutboundError, toOutboundError } from './outbound/errors.js';
import { createFetch } from './outbound/fetch.js';
import {
  type Headers,
  headersForOtherOrigin,
  headersWithoutBody,
  type RawHeaders,
  requestHeaders,
  responseHeaders,
} from './outbound/headers.js';
import { wholeAnswer } from './outbound/whole-answer.js';
import { presentTraceparent } from './scope.js';
import { Stage } from './stage.js';

export type { Outbound, OutboundAnswer, OutboundRequest };

export interface OutboundOptions {
  /** Entries of OUTBOUND_ALLOW: host, host:port or CIDR. A malformed one throws here. */
  allow: readonly string[];
  /** For addresses that the operator configured: any address may be called. Everything else holds as well. */
  trusted?: boolean;
  /** Connections to one server at the same time. Default 256. */
  connections?: number;
  /** Resolves names; the system's resolver unless a test brings its own. */
  resolve?: Resolve;
}

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Calls that have their whole answer. */
const arrived = new Stage();

export function createOutbound(options: OutboundOptions): Outbound {
  const policy = new AddressPolicy(options.allow);
  const resolve = options.resolve ?? (hostname => lookup(hostname, { all: true }));
  let agent: Promise<Dispatcher> | undefined;
  let opened: Dispatcher | undefined;

  /** The HTTP client costs 90 ms and 20 MB to load: a process that calls nobody goes without. */
  const openAgent = async (): Promise<Dispatcher> => {
    const { Agent, buildConnector } = await import('undici');
    const connect = options.trusted
      ? buildConnector(connectorOptions)
      : guardedConnector(buildConnector, policy, resolve);
    // Time limits are the caller's, per call, and cover name lookup and connecting as well.
    opened = new Agent({
      connect,
      connections: options.connections ?? 256,
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    });
    return opened;
  };

  const dispatcherFor = (deadline: Deadline): Dispatcher | Promise<Dispatcher> => {
    agent ??= openAgent();
    return opened ?? deadline.race(agent);
  };

  const openOne: Exchange<Readable> = async (hop, _request, deadline) => {
    const dispatcher = await dispatcherFor(deadline);
    return deadline.race(dispatcher.request({ ...optionsOf(hop), signal: deadline.signal }));
  };

  const wholeOne: Exchange<Buffer> = async (hop, { followRedirects, maxResponseBytes: maxBytes }, deadline) => {
    const dispatcher = await dispatcherFor(deadline);
    deadline.signal.throwIfAborted();
    const isEnough = (status: number, headers: RawHeaders) =>
      followRedirects === true && redirectOf(status, headers) !== undefined;
    const answer = await wholeAnswer(dispatcher, optionsOf(hop), { maxBytes, isEnough, signal: deadline.signal });
    await arrived.gather();
    return answer;
  };

  const follow = async <Body extends Buffer | Readable>(
    request: OutboundRequest,
    deadline: Deadline,
    exchange: Exchange<Body>,
  ): Promise<[Hop, Exchanged<Body>]> => {
    let hop = firstHop(request);
    for (let redirects = 0; ; redirects++) {
      const answer = await exchange(hop, request, deadline);
      const location = redirectOf(answer.statusCode, answer.headers);
      if (!request.followRedirects || location === undefined) return [hop, answer];
      if (!Buffer.isBuffer(answer.body)) answer.body.on('error', () => {}).destroy();
      if (redirects === maxRedirects)
        throw new OutboundError('too_many_redirects', `More than the allowed ${maxRedirects} redirects.`);
      hop = nextHop(hop, answer.statusCode, location);
    }
  };

  /** Runs a call under its deadline; an abort by the caller comes out as the caller's own reason. */
  const underDeadline = async <T>(request: OutboundRequest, call: (deadline: Deadline) => Promise<T>): Promise<T> => {
    const deadline = new Deadline(request.signal, request.timeoutMs);
    try {
      return await call(deadline);
    } catch (error) {
      deadline.release();
      throw explained(error, deadline);
    }
  };

  const open = (request: OutboundRequest) =>
    underDeadline(request, async deadline => {
      const answer = await streamed(await follow(request, deadline, openOne), request, deadline);
      deadline.stopTimer();
      answer.body.once('close', () => deadline.release());
      return answer;
    });

  const request = (given: OutboundRequest) =>
    underDeadline(given, async deadline => {
      const answer = await decoded(await follow(given, deadline, wholeOne), given, deadline);
      deadline.release();
      return answer;
    });

  const close = async () => {
    await (await agent)?.close();
  };
  return { request, open, fetch: createFetch(open), close };
}

function explained(error: unknown, { signal }: Deadline): Error {
  return signal.aborted ? (signal.reason as Error) : toOutboundError(error);
}

interface Hop {
  url: URL;
  method: string;
  headers: Headers;
  body: string | Uint8Array | Readable | undefined;
}

interface Exchanged<Body> {
  statusCode: number;
  headers: RawHeaders;
  body: Body;
}

type Exchange<Body> = (hop: Hop, request: OutboundRequest, deadline: Deadline) => Promise<Exchanged<Body>>;

function optionsOf({ url, method, headers, body }: Hop): Dispatcher.RequestOptions {
  const options = { origin: url.origin, path: url.pathname + url.search, method, headers, body };
  return options as Dispatcher.RequestOptions;
}

/** Where a redirect leads. */
function redirectOf(status: number, { location }: RawHeaders): string | undefined {
  return redirectStatuses.has(status) && typeof location === 'string' ? location : undefined;
}

function firstHop(request: OutboundRequest): Hop {
  const method = request.method.toUpperCase();
  if (!methods.has(method)) throw new OutboundError('bad_request', `method must be one of ${[...methods].join(', ')}.`);
  const url = parseUrl(request.url);
  const headers = requestHeaders(request.headers ?? {});
  const traceparent = headers.traceparent ?? presentTraceparent();
  if (traceparent !== undefined) headers.traceparent = traceparent;
  const { body } = request;
  if (!isSizedStream(body)) return { url, method, headers, body };
  if (request.followRedirects) throw new OutboundError('bad_request', 'A streamed body cannot be sent twice.');
  return { url, method, headers: { ...headers, 'content-length': String(body.length) }, body: body.stream };
}

function isSizedStream(body: OutboundRequest['body']): body is SizedStream {
  return typeof body === 'object' && 'stream' in body;
}

/** As browsers do it: 303, and 301 or 302 after a POST, are followed by a GET without the body. */
function nextHop(from: Hop, status: number, location: string): Hop {
  const url = parseUrl(location, from.url.href);
  const toGet = (status === 303 && from.method !== 'HEAD') || (status < 303 && from.method === 'POST');
  let headers = url.origin === from.url.origin ? from.headers : headersForOtherOrigin(from.headers);
  if (!toGet) return { ...from, url, headers };
  headers = headersWithoutBody(headers);
  return { url, method: 'GET', headers, body: undefined };
}

function parseUrl(text: string, base?: string): URL {
  const url = URL.parse(text, base);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password) return url;
  throw new OutboundError(
    'bad_url',
    'The URL is not allowed. Allowed: absolute http and https URLs without credentials.',
  );
}

/** The body as it comes in, decoded and limited. */
async function streamed(
  [hop, answer]: [Hop, Exchanged<Readable>],
  { maxResponseBytes }: OutboundRequest,
  deadline: Deadline,
): Promise<OutboundAnswer<Readable>> {
  const headers = responseHeaders(answer.headers);
  if (hop.method !== 'HEAD' && Number(headers['content-length']) > maxResponseBytes) {
    answer.body.on('error', () => {}).destroy();
    throw tooLarge(maxResponseBytes);
  }
  let codings = codingsOf(headers['content-encoding']);
  if (codings.length > 0 && (hop.method === 'HEAD' || (await deadline.race(isEmpty(answer.body))))) codings = [];
  const body = decodedBody(answer.body, codings, maxResponseBytes, error => explained(error, deadline));
  return answered(hop, answer, headers, codings, body);
}

/** The same of an answer that is there. */
async function decoded(
  [hop, answer]: [Hop, Exchanged<Buffer>],
  { maxResponseBytes }: OutboundRequest,
  deadline: Deadline,
): Promise<OutboundAnswer<Buffer>> {
  const headers = responseHeaders(answer.headers);
  const codings = answer.body.length === 0 ? [] : codingsOf(headers['content-encoding']);
  if (codings.length === 0) return answered(hop, answer, headers, codings, answer.body);
  const source = Readable.from([answer.body]);
  const body = decodedBody(source, codings, maxResponseBytes, error => explained(error, deadline));
  return answered(hop, answer, headers, codings, await deadline.race(buffer(body)));
}

function answered<Body>(
  { url }: Hop,
  { statusCode: status, headers: raw }: Exchanged<unknown>,
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
  return { status, headers, headerList, url: url.href, body };
}
