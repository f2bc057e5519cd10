import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './tracing.js';

/** The outcome of a request for its log line and metrics. The code that knows a member sets it. */
export interface Outcome {
  /** The template of the path, from a bounded set. */
  route?: string;
  /**
   * The outcome inside the response, where the HTTP status does not show it: a run's inner status or a GraphQL error
   * code.
   */
  inner?: string;
}

/** A node of a run. `iteration` is empty outside loops. */
export interface NodePlace {
  node: string;
  iteration: string;
}

/** Facts about a run while this process executes it. */
export interface RunTraceData {
  /** The final state of the run. Undefined: it did not end in this process. */
  end?: RunEnd;
  /** Returns the span of an active node. */
  spanOf?: (place: NodePlace) => Span | undefined;
  /** Masks the run's secrets in a text. Set when they are known. */
  mask?: (text: string) => string;
}

export interface RunEnd {
  outcome: 'succeeded' | 'failed';
  /** Error code. */
  error?: string;
}

/** The context of asynchronous work. Log lines name it, and outgoing calls carry its trace. */
export interface WorkContext {
  readonly requestId?: string;
  readonly runId?: string;
  readonly span?: Span | undefined;
  readonly outcome?: Outcome;
  readonly run?: RunTraceData;
  /** Pauses the time limit of the current call until the promise settles. Returns its result. */
  readonly waitFor?: <T>(turn: Promise<T>) => Promise<T>;
}

const storage = new AsyncLocalStorage<WorkContext>();

/** Runs `work` in the current context extended by `extra`. */
export function withContext<T>(extra: WorkContext, work: () => T): T {
  const current = storage.getStore();
  return storage.run(current ? { ...current, ...extra } : extra, work);
}

/** Runs `work` without a context, for work that serves many requests at once. */
export function withoutContext<T>(work: () => T): T {
  return storage.run({}, work);
}

/** Returns the current context. Undefined or empty outside of requests and runs. */
export function currentContext(): WorkContext | undefined {
  return storage.getStore();
}

/** Records facts about the outcome of the current request. */
export function recordOutcome(extra: Outcome): void {
  const outcome = storage.getStore()?.outcome;
  if (!outcome) return;
  // The first value is kept: of several errors the first one is decisive.
  if (extra.route !== undefined) outcome.route ??= extra.route;
  if (extra.inner !== undefined) outcome.inner ??= extra.inner;
}

/** Records the final state of the current run. Call it after the commit. */
export function recordRunEnd(end: RunEnd): void {
  const run = storage.getStore()?.run;
  if (run) run.end = end;
}

/** Masks errors of the current run in later log lines. */
export function setRunErrorMask(mask: (text: string) => string): void {
  const run = storage.getStore()?.run;
  if (run) run.mask = mask;
}

/** Returns the parent span for a call of the node at `place`. */
export function parentSpanOf(place: NodePlace | undefined): Span | undefined {
  const scope = storage.getStore();
  return (place && scope?.run?.spanOf?.(place)) ?? scope?.span;
}

/** Returns the `traceparent` header for an outgoing call, so that it joins the current trace. */
export function currentTraceparent(): string | undefined {
  return storage.getStore()?.span?.traceparent;
}
