import type { Context, Span as OtelSpan, SpanKind as OtelSpanKind } from '@opentelemetry/api';
import type { Log } from '../platform/logging/log.js';
import type { Span, SpanAttributes, SpanKind, SpanStart, Tracer } from '../platform/tracing/tracing.js';

export interface TracerOptions {
  /** Base URL of a collector that accepts OTLP as JSON over HTTP at `/v1/traces`. */
  endpoint: string;
  /** Sampling ratio of traces that start here, 0 to 1. Traces of callers keep the callers' decision. */
  samplingRatio: number;
  role: string;
  log: Log;
}

type Api = typeof import('@opentelemetry/api');

/** Characters of an attribute value; longer values are truncated. */
const MAX_CHARACTERS = 200;
/** W3C Trace Context, version 00. Later versions may have more fields. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Creates a tracer that sends spans to a collector. Only this function loads OpenTelemetry, which takes 25 MB and 90 ms. */
export async function openTracer({ endpoint, samplingRatio, role, log }: TracerOptions): Promise<Tracer> {
  const [api, sdk, { OTLPTraceExporter }, { defaultResource, resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const warn = (message: string) => log.warn({ reason: message.slice(0, 500) }, 'trace export failed');
  const silent = () => {};
  const diagnosis = { error: warn, warn, info: silent, debug: silent, verbose: silent };
  api.diag.setLogger(diagnosis, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = new sdk.TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': 'scenarium', 'scenarium.role': role, 'process.pid': process.pid }),
    ),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(samplingRatio) }),
    spanLimits: { attributeValueLengthLimit: MAX_CHARACTERS },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  });
  const otel = provider.getTracer('scenarium');
  return {
    // `as never`: the types forbid undefined attributes, which OpenTelemetry leaves out.
    start: (name, { kind, parent, attributes = {}, at }: SpanStart) =>
      new TracedSpan(
        api,
        otel.startSpan(
          name,
          { kind: kinds(api)[kind], attributes: attributes as never, ...(at ? { startTime: at } : {}) },
          contextOf(api, parent),
        ),
      ),
    stop: () => provider.shutdown(),
  };
}

function kinds({ SpanKind }: Api): Record<SpanKind, OtelSpanKind> {
  return { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL };
}

/** The context of the parent. An invalid `traceparent` is ignored, as W3C Trace Context requires. */
function contextOf({ ROOT_CONTEXT, trace }: Api, parent: SpanStart['parent']): Context {
  if (parent instanceof TracedSpan) return trace.setSpan(ROOT_CONTEXT, parent.span);
  const [, traceId, spanId, flags] = typeof parent === 'string' ? (TRACEPARENT.exec(parent) ?? []) : [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
  });
}

class TracedSpan implements Span {
  constructor(
    private readonly api: Api,
    readonly span: OtelSpan,
  ) {}

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes as never);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  end(error?: string, at?: Date): void {
    if (error !== undefined) {
      this.span.setAttribute('error.type', error);
      this.span.setStatus({ code: this.api.SpanStatusCode.ERROR });
    }
    this.span.end(at);
  }
}
