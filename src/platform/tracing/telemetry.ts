import type { Log } from '../logging/log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Tracer } from './tracing.js';

/** The log, the metrics and the traces of a process. */
export interface Telemetry {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Null: traces are disabled. */
  readonly tracer: Tracer | null;
}
