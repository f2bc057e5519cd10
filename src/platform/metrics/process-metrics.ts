import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { PolledMetric } from './polled-metric.js';

const NANOSECONDS_PER_SECOND = 1e9;
const RESOLUTION_MS = 20;

/**
 * Measures processor time, memory and event loop delay of the process. Returns a function that ends the measurement.
 */
export function measureProcess(add: (metric: PolledMetric) => void): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const startedAt = Date.now() / 1000 - process.uptime();
  const addGauge = (name: string, help: string, value: () => number) =>
    add({ name, help, read: () => [{ value: value() }] });
  addGauge('process_start_time_seconds', 'When the process began, in Unix seconds.', () => startedAt);
  add({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time.',
    isCounter: true,
    read: () => {
      const { user, system } = process.cpuUsage();
      return [{ value: (user + system) / 1e6 }];
    },
  });
  addGauge('process_resident_memory_bytes', 'Memory that the process occupies.', () => process.memoryUsage.rss());
  addGauge(
    'nodejs_heap_size_used_bytes',
    'Memory that objects of JavaScript occupy.',
    () => process.memoryUsage().heapUsed,
  );
  add({
    name: 'nodejs_eventloop_lag_seconds',
    help: 'Event loop delay since the last scrape.',
    labels: ['percentile'],
    read: () => {
      // The histogram records the interval between two samples. Without delay that interval is the resolution.
      const late = (nanoseconds: number) => Math.max(nanoseconds / NANOSECONDS_PER_SECOND - RESOLUTION_MS / 1000, 0);
      const samples = [50, 99, 100].map(percentile => ({
        labels: { percentile: String(percentile) },
        value: delay.count === 0 ? 0 : late(delay.percentile(percentile)),
      }));
      delay.reset();
      return samples;
    },
  });
  return () => delay.disable();
}
