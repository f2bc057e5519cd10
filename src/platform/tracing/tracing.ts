export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface SpanStart {
  kind: SpanKind;
  /** A span of this process, or the W3C `traceparent` of another one. Undefined: the span starts a trace. */
  parent: Span | string | null | undefined;
  attributes?: SpanAttributes;
  /** Default: now. */
  at?: Date;
}

/** One unit of work in a trace. */
export interface Span {
  /** The W3C header with which calls to other services join the trace. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** `error`: the error code. Undefined: success. */
  end(error?: string, at?: Date): void;
}

/** Creates and exports spans. It is null unless the operator enables traces, so that disabled traces cost nothing. */
export interface Tracer {
  start(name: string, start: SpanStart): Span;
  /** Exports the remaining spans. */
  stop(): Promise<void>;
}
