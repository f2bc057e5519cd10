import type { RunKind } from '../platform/metrics/metrics.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import { currentContext, type RunFacts, withContext } from '../platform/tracing/work-context.js';

/** A claimed run, as far as it is told of. */
export interface RunTelemetry {
  id: string;
  projectId?: number;
  /** How often a worker has begun it; one that handed it back in good order does not count. */
  attempts?: number;
  /** Of its last event: 0 where nobody has begun it. */
  sequence?: number;
  /** What this process did of it before it was written; only whoever begins it has that. */
  head?: object;
  createdAt?: Date;
  /** The trace that it was accepted in. */
  traceparent?: string | null;
}

/** Executes a run in a scope of its own, and tells log, metrics and trace what became of it. */
export async function traceRun<T>(
  { log, metrics, tracer }: Telemetry,
  kind: RunKind,
  run: RunTelemetry,
  execute: () => Promise<T>,
): Promise<T> {
  const { id: runId, attempts = 1, traceparent } = run;
  const began = performance.now();
  countBegin(metrics, kind, run);
  const span = tracer?.start(`run ${kind}`, {
    kind: 'consumer',
    parent: traceparent ?? currentContext()?.span,
    attributes: { 'scenarium.run.id': runId, 'scenarium.run.kind': kind, 'scenarium.run.attempt': attempts },
  });
  const facts: RunFacts = {};
  let error: string | undefined;
  try {
    return await withContext(span ? { runId, run: facts, span } : { runId, run: facts }, execute);
  } catch (thrown) {
    error = 'given_up';
    if (facts.mask) maskError(thrown, facts.mask);
    throw thrown;
  } finally {
    const { end } = facts;
    if (end) reportEnd({ log, metrics }, kind, run, end, performance.now() - began);
    span?.set({ 'scenarium.run.outcome': end?.outcome ?? 'not_ended' });
    span?.end(end?.error ?? error);
  }
}

function countBegin(
  metrics: Telemetry['metrics'],
  kind: RunKind,
  { attempts = 1, sequence = 0, head, createdAt }: RunTelemetry,
): void {
  if (attempts > 1) metrics.countTakeover(kind);
  else if ((sequence === 0 || head) && createdAt) metrics.recordRunStart(kind, secondsSince(createdAt));
}

function reportEnd(
  { log, metrics }: Pick<Telemetry, 'log' | 'metrics'>,
  kind: RunKind,
  { id: runId, projectId, attempts = 1, createdAt }: RunTelemetry,
  { outcome, error }: NonNullable<RunFacts['end']>,
  elapsedMs: number,
): void {
  metrics.recordRunEnd(kind, outcome, createdAt && secondsSince(createdAt));
  const line = { runId, kind, projectId, outcome, attempts, ms: Math.round(elapsedMs * 100) / 100 };
  log.info(error === undefined ? line : { ...line, error }, 'run ended');
}

const MAX_CAUSES = 8;

/** Hides secrets in an error and in what caused it: it leaves the scope of its run, and the log takes it down. */
function maskError(error: unknown, mask: (text: string) => string): void {
  let each = error;
  for (let depth = 0; depth < MAX_CAUSES && each instanceof Error; depth++) {
    for (const name of ['message', 'stack', 'detail', 'where'] as const) {
      const text: unknown = Reflect.get(each, name);
      if (typeof text === 'string') Reflect.set(each, name, mask(text));
    }
    each = each.cause;
  }
}

/** By our clock, where the database's may differ a little. */
function secondsSince(time: Date): number {
  return (Date.now() - time.getTime()) / 1000;
}
