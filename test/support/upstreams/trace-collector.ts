import { serveHttp } from './loopback-server.js';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  attributes: Record<string, unknown>;
  /** The role of the process that sent the span. */
  role: unknown;
}

export interface TraceCollector {
  endpoint: string;
  spans: CollectedSpan[];
  /** The bodies of all requests, concatenated, to search for values that must not be exported. */
  receivedText(): string;
  stop(): Promise<void>;
}

/** A collector for OTLP over HTTP with JSON. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let received = '';
  const server = await serveHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received += body;
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end();
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      const { 'scenarium.role': role } = valuesOf(resource.attributes);
      for (const span of scopeSpans.flatMap((scope: any) => scope.spans))
        spans.push({ ...span, parentSpanId: span.parentSpanId ?? '', attributes: valuesOf(span.attributes), role });
    }
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  return {
    endpoint: server.url,
    spans,
    receivedText: () => received,
    stop: server.close,
  };
}

function valuesOf(attributes: { key: string; value: Record<string, unknown> }[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
