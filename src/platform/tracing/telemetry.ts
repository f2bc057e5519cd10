import type { Log } from '../logging/log.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Tracer } from './tracing.js';

/** What is told of the work that is done. */
export interface Telemetry {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Null: nobody wants traces. */
  readonly tracer: Tracer | null;
}
