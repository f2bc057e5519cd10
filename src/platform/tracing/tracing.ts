export type SpanKind = 'server' | 'client' | 'consumer' | 'internal';
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface SpanStart {
  kind: SpanKind;
  /** What it is part of: a span of this process, or the W3C `traceparent` of another one. Undefined: a trace begins. */
  parent: Span | string | null | undefined;
  attributes?: SpanAttributes;
  /** Default: now. */
  at?: Date;
}

/** One piece of work in a trace. */
export interface Span {
  /** The W3C header by which what others do for it becomes part of the same trace. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** `error`: the code of what went wrong; absent: nothing did. */
  end(error?: string, at?: Date): void;
}

/** Where spans go. There is none (null) unless the operator wants traces, so that nothing is paid for them. */
export interface Tracer {
  start(name: string, start: SpanStart): Span;
  /** Sends what is left. */
  stop(): Promise<void>;
}
