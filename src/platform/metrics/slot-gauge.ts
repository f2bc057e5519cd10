import type { Metrics } from './metrics.js';
import type { PolledMetric } from './polled-metric.js';

/**
 * Resources that callers queue for: threads for scripts, model calls of nodes and messages, calls of the chat proxy.
 */
export type SlotKind = 'script' | 'model' | 'chat';

/** A queue for slots with waiting callers. */
interface WaitingQueue {
  /** Number of waiting callers. */
  readonly waiting: number;
  readonly oldestWaitMs: number;
}

/** Counts the slots of all queues of one kind and the callers that wait for them. */
export class SlotGauge {
  inUse = 0;
  /** Queues with waiting callers. */
  readonly queues = new Set<WaitingQueue>();

  constructor(
    readonly kind: SlotKind,
    private readonly metrics?: Pick<Metrics, 'recordSlotWait'>,
  ) {}

  /** Records the end of a wait, by a slot or by an abort. */
  recordWait(seconds: number): void {
    this.metrics?.recordSlotWait(this.kind, seconds);
  }
}

/** Returns the metrics of slots and of the callers that wait for them. */
export function slotMetrics(gauges: readonly SlotGauge[]): PolledMetric[] {
  const each = (value: (gauge: SlotGauge) => number) => () =>
    gauges.map(gauge => ({ labels: { kind: gauge.kind }, value: value(gauge) }));
  const labels = ['kind'];
  return [
    {
      name: 'scenarium_slots_held',
      help: 'Slots in use in this process: threads for scripts, model calls of nodes and messages, or calls of the chat proxy.',
      labels,
      read: each(({ inUse }) => inUse),
    },
    {
      name: 'scenarium_slots_waiting',
      help: 'Calls waiting for a slot in this process.',
      labels,
      read: each(({ queues }) => [...queues].reduce((sum, { waiting }) => sum + waiting, 0)),
    },
    {
      name: 'scenarium_slot_oldest_wait_seconds',
      help: 'Waiting time of the oldest call that waits for a slot in this process. 0: no call waits.',
      labels,
      read: each(({ queues }) => Math.max(0, ...[...queues].map(({ oldestWaitMs }) => oldestWaitMs)) / 1000),
    },
  ];
}
