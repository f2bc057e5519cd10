import type { IncomingMessage } from 'node:http';
import { DeferredBatch } from '../../platform/async/deferred-batch.js';
import type { Telemetry } from '../../platform/tracing/telemetry.js';
import type { Span } from '../../platform/tracing/tracing.js';
import { type Outcome, withContext } from '../../platform/tracing/work-context.js';
import type { Middleware } from './middleware.js';
import { requestIdOf } from './request-id.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Polled every few seconds: logged at `debug` and not traced. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
const PATHS = new Set(['/', '/graphql', '/graphiql', '/docs', '/openapi.json', '/favicon.svg', '/favicon.ico']);
/** Routes of static files. */
const STATIC = new Set(['/assets', '/favicon.svg', '/favicon.ico']);
/** Reported if the client disconnects before its response is complete. */
const CLIENT_CLOSED_REQUEST = 499;

export interface RequestObserver {
  /** Must be the first middleware. Sets the request id and reports each request once to log, metrics and trace. */
  middleware: Middleware;
  /** Reports completed requests that are still batched. */
  flush(): void;
}

/** Creates the request telemetry. `onClose` is called when the response of a request is sent or its connection has closed. */
export function observeRequests(telemetry: Telemetry, onClose: (request: IncomingMessage) => void): RequestObserver {
  const { tracer, metrics } = telemetry;
  let inFlight = 0;
  const completed = new DeferredBatch<CompletedRequest>(summary => reportRequest(telemetry, summary));
  metrics.add({
    name: 'scenarium_http_requests_in_flight',
    help: 'Requests that are being answered.',
    read: () => [{ value: inFlight }],
  });
  const middleware: Middleware = (request, response, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    const outcome: Outcome = {};
    // Read now: Express routers change `request.url` while they handle the request.
    const path = pathOf(request);
    const isProbe = PROBES.has(path);
    const span = tracer && !isProbe ? spanOf(tracer, request) : undefined;
    inFlight++;
    response.on('close', () => {
      inFlight--;
      onClose(request);
      const summary: CompletedRequest = {
        requestId,
        method: METHODS.has(request.method ?? '') ? (request.method as string) : 'other',
        route: outcome.route ?? routeOf(path),
        status: response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST,
        inner: outcome.inner ?? '',
        ms: performance.now() - startedAt,
      };
      if (span) endSpan(span, summary);
      completed.add(summary);
    });
    withContext(span ? { requestId, outcome, span } : { requestId, outcome }, next);
  };
  return { middleware, flush: () => completed.flush() };
}

function spanOf(tracer: NonNullable<Telemetry['tracer']>, { method = '', headers }: IncomingMessage): Span {
  const parent = headers.traceparent;
  const attributes = { 'http.request.method': METHODS.has(method) ? method : '_OTHER' };
  return tracer.start('HTTP', { kind: 'server', parent: typeof parent === 'string' ? parent : null, attributes });
}

/** The telemetry of a completed request. */
interface CompletedRequest {
  requestId: string;
  method: string;
  route: string;
  status: number;
  inner: string;
  /** Duration from the arrival of the request to the end of its response. */
  ms: number;
}

function reportRequest(
  { log, metrics }: Telemetry,
  { requestId, method, route, status, inner, ms }: CompletedRequest,
): void {
  metrics.recordRequest({ method, route, status, inner, seconds: ms / 1000 });
  const line = { requestId, method, route, status, ...(inner === '' ? {} : { inner }), ms: Math.round(ms * 100) / 100 };
  log[levelOf(route, status)](line, 'request');
}

function endSpan(span: Span, { method, route, status, inner }: CompletedRequest): void {
  span.rename(`${method} ${route}`);
  span.set({ 'http.route': route, 'http.response.status_code': status, 'scenarium.inner_status': inner || undefined });
  span.end(status >= 500 ? String(status) : undefined);
}

/** The log level. Status 500 is a defect of the service; other 5xx may succeed on retry. */
function levelOf(route: string, status: number): 'error' | 'warn' | 'info' | 'debug' {
  if (PROBES.has(route) || (STATIC.has(route) && status < 500)) return 'debug';
  if (status === 500) return 'error';
  return status > 500 ? 'warn' : 'info';
}

/** The label of a path outside the API. The path itself is never reported, because it may contain a token. */
function routeOf(path: string): string {
  if (PATHS.has(path) || PROBES.has(path)) return path;
  if (path.startsWith('/files/')) return '/files/{token}';
  return /^\/(graphiql|docs)\/assets\//.test(path) ? '/assets' : 'other';
}

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
