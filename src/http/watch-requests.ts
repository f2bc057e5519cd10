import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Outcome, within } from '../base/scope.js';
import type { Telemetry } from '../base/telemetry.js';
import type { Span } from '../base/tracing.js';
import { requestIdOf } from './request-id.js';
import type { Step } from './step.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Looked at every few seconds by machines: told at `debug`, and in no trace. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
const PATHS = new Set(['/', '/graphql', '/graphiql', '/docs', '/openapi.json', '/favicon.svg', '/favicon.ico']);
/** Of an answer that did not get to its end. */
const CUT_SHORT = 499;

/** Stands first: whatever answers, its answer bears an id, and is told to the log, the metrics and the trace once. */
export function watchRequests(telemetry: Telemetry): Step {
  const { tracer, metrics } = telemetry;
  let inFlight = 0;
  metrics.add({
    name: 'scenarium_http_requests_in_flight',
    help: 'Requests that are being answered.',
    read: () => [{ value: inFlight }],
  });
  return (request, response, next) => {
    const began = performance.now();
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    const outcome: Outcome = {};
    // Routers that stand further down change the address of the request while it is theirs.
    const path = pathOf(request);
    const span = tracer && !PROBES.has(path) ? spanOf(tracer, request) : undefined;
    inFlight++;
    response.once('close', () => {
      inFlight--;
      tell(telemetry, { request, path, response, requestId, outcome, span, began });
    });
    within(span ? { requestId, outcome, span } : { requestId, outcome }, next);
  };
}

function spanOf(tracer: NonNullable<Telemetry['tracer']>, { method = '', headers }: IncomingMessage): Span {
  const parent = headers.traceparent;
  const attributes = { 'http.request.method': METHODS.has(method) ? method : '_OTHER' };
  return tracer.start('HTTP', { kind: 'server', parent: typeof parent === 'string' ? parent : null, attributes });
}

interface Exchange {
  request: IncomingMessage;
  path: string;
  response: ServerResponse;
  requestId: string;
  outcome: Outcome;
  span: Span | undefined;
  began: number;
}

function tell(
  { log, metrics }: Telemetry,
  { request, path, response, requestId, outcome, span, began }: Exchange,
): void {
  const ms = performance.now() - began;
  const method = METHODS.has(request.method ?? '') ? (request.method as string) : 'other';
  const { inner = '' } = outcome;
  const status = response.writableFinished ? response.statusCode : CUT_SHORT;
  const route = outcome.route ?? routeOf(path);
  metrics.requestEnded({ method, route, status, inner, seconds: ms / 1000 });
  const line = { requestId, method, route, status, ...(inner === '' ? {} : { inner }), ms: Math.round(ms * 100) / 100 };
  log[PROBES.has(path) ? 'debug' : levelOf(status)](line, 'request');
  if (!span) return;
  span.rename(`${method} ${route}`);
  span.set({ 'http.route': route, 'http.response.status_code': status, 'scenarium.inner_status': inner || undefined });
  span.end(status >= 500 ? String(status) : undefined);
}

/** A fault of ours, what a later try may meet no more, and everything else: what callers do wrong is no matter of ours. */
function levelOf(status: number): 'error' | 'warn' | 'info' {
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
