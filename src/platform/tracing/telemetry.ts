import type { Log } from '../logging/log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Tracer } from './tracing.js';

/** Metrics and traces. */
export interface Telemetry {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Null: traces are disabled. */
  readonly tracer: Tracer | null;
}
