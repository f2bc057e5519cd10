import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './tracing.js';

/** What becomes of a request, for its line in the log and for the metrics: each part is noted where it is known. */
export interface Outcome {
  /** The template of its path: of a bounded set. */
  route?: string;
  /** What the answer says inside, where the HTTP status does not tell: a run's inner status, a GraphQL error's code. */
  inner?: string;
}

/** A node of a run: `iteration` is empty outside loops. */
export interface NodePlace {
  node: string;
  iteration: string;
}

/** What becomes of a run while this process executes it. */
export interface RunFacts {
  /** How it ended; undefined: it did not end here. */
  end?: RunEnd;
  /** The span of a node at work. */
  spanOf?: (place: NodePlace) => Span | undefined;
  /** Hides the run's secrets in a text, once they are known. */
  mask?: (text: string) => string;
}

export interface RunEnd {
  outcome: 'succeeded' | 'failed';
  /** Code of what went wrong. */
  error?: string;
}

/** What a piece of work belongs to: lines of the log name it, and calls to the outside carry its trace. */
export interface WorkContext {
  readonly requestId?: string;
  readonly runId?: string;
  readonly span?: Span | undefined;
  readonly outcome?: Outcome;
  readonly run?: RunFacts;
}

const scopes = new AsyncLocalStorage<WorkContext>();

/** Does `work` in the present scope with `more`. */
export function withContext<T>(more: WorkContext, work: () => T): T {
  const present = scopes.getStore();
  return scopes.run(present ? { ...present, ...more } : more, work);
}

/** Does `work` for nobody in particular: for many at once, whoever of them set it off. */
export function withoutContext<T>(work: () => T): T {
  return scopes.run({}, work);
}

/** Undefined or empty for what belongs to no request and no run. */
export function currentContext(): WorkContext | undefined {
  return scopes.getStore();
}

/** Notes what is known by now of the request that is being answered. */
export function note(more: Outcome): void {
  const outcome = scopes.getStore()?.outcome;
  if (!outcome) return;
  // The first word counts: of many errors it is the first one that decides.
  if (more.route !== undefined) outcome.route ??= more.route;
  if (more.inner !== undefined) outcome.inner ??= more.inner;
}

/** Notes how the run that is executed ended, once that is committed. */
export function noteRunEnd(end: RunEnd): void {
  const run = scopes.getStore()?.run;
  if (run) run.end = end;
}

/** Lines of the log about errors of the run that is executed are masked from here on. */
export function maskRunErrors(mask: (text: string) => string): void {
  const run = scopes.getStore()?.run;
  if (run) run.mask = mask;
}

/** What a call that is made for `place` is part of. */
export function spanAround(place: NodePlace | undefined): Span | undefined {
  const scope = scopes.getStore();
  return (place && scope?.run?.spanOf?.(place)) ?? scope?.span;
}

/** The header by which a call that is made now becomes part of the present trace. */
export function currentTraceparent(): string | undefined {
  return scopes.getStore()?.span?.traceparent;
}
