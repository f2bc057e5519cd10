import type { IncomingMessage } from 'node:http';
import { DeferredBatch } from '../../platform/async/deferred-batch.js';
import type { Telemetry } from '../../platform/tracing/telemetry.js';
import type { Span } from '../../platform/tracing/tracing.js';
import { type Outcome, withContext } from '../../platform/tracing/work-context.js';
import { requestIdOf } from './request-id.js';
import type { Step } from './step.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Requested by machines every few seconds: logged at `debug`, and not traced. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
const PATHS = new Set(['/', '/graphql', '/graphiql', '/docs', '/openapi.json', '/favicon.svg', '/favicon.ico']);
/** Routes of files that are the same for all callers. */
const STATIC = new Set(['/assets', '/favicon.svg', '/favicon.ico']);
/** Of an answer that did not get to its end. */
const CUT_SHORT = 499;

export interface RequestWatch {
  /** Stands first: whatever answers, its answer bears an id, and is told to the log, the metrics and the trace once. */
  step: Step;
  /** Tells what has been answered and not been told yet. */
  settle(): void;
}

/** `whenOver` hears of each request whose answer has left, or will not. */
export function watchRequests(telemetry: Telemetry, whenOver: (request: IncomingMessage) => void): RequestWatch {
  const { tracer, metrics } = telemetry;
  let inFlight = 0;
  const ended = new DeferredBatch<CompletedRequest>(answered => reportRequest(telemetry, answered));
  metrics.add({
    name: 'scenarium_http_requests_in_flight',
    help: 'Requests that are being answered.',
    read: () => [{ value: inFlight }],
  });
  const step: Step = (request, response, next) => {
    const began = performance.now();
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    const outcome: Outcome = {};
    // Routers that stand further down change the address of the request while it is theirs.
    const path = pathOf(request);
    const isProbe = PROBES.has(path);
    const span = tracer && !isProbe ? spanOf(tracer, request) : undefined;
    inFlight++;
    response.on('close', () => {
      inFlight--;
      whenOver(request);
      const answered: CompletedRequest = {
        requestId,
        method: METHODS.has(request.method ?? '') ? (request.method as string) : 'other',
        route: outcome.route ?? routeOf(path),
        status: response.writableFinished ? response.statusCode : CUT_SHORT,
        inner: outcome.inner ?? '',
        ms: performance.now() - began,
      };
      if (span) endSpan(span, answered);
      ended.add(answered);
    });
    withContext(span ? { requestId, outcome, span } : { requestId, outcome }, next);
  };
  return { step, settle: () => ended.flush() };
}

function spanOf(tracer: NonNullable<Telemetry['tracer']>, { method = '', headers }: IncomingMessage): Span {
  const parent = headers.traceparent;
  const attributes = { 'http.request.method': METHODS.has(method) ? method : '_OTHER' };
  return tracer.start('HTTP', { kind: 'server', parent: typeof parent === 'string' ? parent : null, attributes });
}

/** A request that has been answered, as it is told. */
interface CompletedRequest {
  requestId: string;
  method: string;
  route: string;
  status: number;
  inner: string;
  /** From its arrival to the end of its answer. */
  ms: number;
}

function reportRequest(
  { log, metrics }: Telemetry,
  { requestId, method, route, status, inner, ms }: CompletedRequest,
): void {
  metrics.requestEnded({ method, route, status, inner, seconds: ms / 1000 });
  const line = { requestId, method, route, status, ...(inner === '' ? {} : { inner }), ms: Math.round(ms * 100) / 100 };
  log[levelOf(route, status)](line, 'request');
}

function endSpan(span: Span, { method, route, status, inner }: CompletedRequest): void {
  span.rename(`${method} ${route}`);
  span.set({ 'http.route': route, 'http.response.status_code': status, 'scenarium.inner_status': inner || undefined });
  span.end(status >= 500 ? String(status) : undefined);
}

/** The status 500 is a defect of the service, the other 5xx may succeed later. Probes and static files are logged at `debug`. */
function levelOf(route: string, status: number): 'error' | 'warn' | 'info' | 'debug' {
  if (PROBES.has(route) || (STATIC.has(route) && status < 500)) return 'debug';
  if (status === 500) return 'error';
  return status > 500 ? 'warn' : 'info';
}

/** Of what is no route of the API. A path may hold a token, and be anything: it is told nowhere. */
function routeOf(path: string): string {
  if (PATHS.has(path) || PROBES.has(path)) return path;
  if (path.startsWith('/files/')) return '/files/{token}';
  return /^\/(graphiql|docs)\/assets\//.test(path) ? '/assets' : 'other';
}

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
