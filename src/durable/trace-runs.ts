import type { RunKind } from '../platform/metrics/metrics.js';
import type { Telemetry } from '../platform/tracing/telemetry.js';
import { currentContext, type RunTraceData, withContext } from '../platform/tracing/work-context.js';

/** The properties of a claimed run that logs, metrics and traces use. */
export interface RunTelemetry {
  id: string;
  projectId?: number;
  /** Number of attempts. An attempt whose worker returned the run to the queue is not counted. */
  attempts?: number;
  /** Sequence of its last event. 0 when no worker has started it. */
  sequence?: number;
  /** The part that this process executed before the run was written. Absent on other processes. */
  earlyStart?: object;
  createdAt?: Date;
  /** The trace in which the run was accepted. */
  traceparent?: string | null;
}

/** Executes a run in its own context, and reports its start and end to log, metrics and trace. */
export async function traceRun<T>(
  { log, metrics, tracer }: Telemetry,
  kind: RunKind,
  run: RunTelemetry,
  execute: () => Promise<T>,
): Promise<T> {
  const { id: runId, attempts = 1, traceparent } = run;
  const startedAt = performance.now();
  countStart(metrics, kind, run);
  const span = tracer?.start(`run ${kind}`, {
    kind: 'consumer',
    parent: traceparent ?? currentContext()?.span,
    attributes: { 'scenarium.run.id': runId, 'scenarium.run.kind': kind, 'scenarium.run.attempt': attempts },
  });
  const traceData: RunTraceData = {};
  let error: string | undefined;
  try {
    return await withContext(span ? { runId, run: traceData, span } : { runId, run: traceData }, execute);
  } catch (thrown) {
    error = 'attempt_failed';
    if (traceData.mask) maskError(thrown, traceData.mask);
    throw thrown;
  } finally {
    const { end } = traceData;
    if (end) reportEnd({ log, metrics }, kind, run, end, performance.now() - startedAt);
    span?.set({ 'scenarium.run.outcome': end?.outcome ?? 'not_ended' });
    span?.end(end?.error ?? error);
  }
}

function countStart(
  metrics: Telemetry['metrics'],
  kind: RunKind,
  { attempts = 1, sequence = 0, earlyStart, createdAt }: RunTelemetry,
): void {
  if (attempts > 1) metrics.countTakeover(kind);
  else if ((sequence === 0 || earlyStart) && createdAt) metrics.recordRunStart(kind, secondsSince(createdAt));
}

function reportEnd(
  { log, metrics }: Pick<Telemetry, 'log' | 'metrics'>,
  kind: RunKind,
  { id: runId, projectId, attempts = 1, createdAt }: RunTelemetry,
  { outcome, error }: NonNullable<RunTraceData['end']>,
  elapsedMs: number,
): void {
  metrics.recordRunEnd(kind, outcome, createdAt && secondsSince(createdAt));
  const line = { runId, kind, projectId, outcome, attempts, ms: Math.round(elapsedMs * 100) / 100 };
  log.info(error === undefined ? line : { ...line, error }, 'run ended');
}

/** Masks secrets in an error, its causes and the errors of a group, because they are logged outside the context of the run. */
function maskError(error: unknown, mask: (text: string) => string): void {
  const errors = new Set([error]);
  // The set grows during iteration, so this visits all nested errors once.
  for (const each of errors) {
    if (!(each instanceof Error)) continue;
    for (const name of ['message', 'stack', 'detail', 'where'] as const) {
      const text: unknown = Reflect.get(each, name);
      if (typeof text === 'string') Reflect.set(each, name, mask(text));
    }
    errors.add(each.cause);
    if (each instanceof AggregateError) for (const one of each.errors) errors.add(one);
  }
}

/** Seconds since `time` by the local clock, which may differ slightly from the clock of the database. */
function secondsSince(time: Date): number {
  return (Date.now() - time.getTime()) / 1000;
}
