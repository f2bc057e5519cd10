import type { PolledMetric } from './polled-metric.js';

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

  /** @param recordWait is called with the seconds of each wait when it ends, by a slot or by an abort */
  constructor(
    readonly kind: string,
    readonly recordWait: (seconds: number) => void = () => {},
  ) {}
}

/** Returns the metrics of slots and of the callers that wait for them. `gauges` are read at each scrape. */
export function slotMetrics(gauges: () => Iterable<SlotGauge>): PolledMetric[] {
  const each = (value: (gauge: SlotGauge) => number) => () =>
    Array.from(gauges(), gauge => ({ labels: { kind: gauge.kind }, value: value(gauge) }));
  const labels = ['kind'];
  return [
    {
      name: 'scenarium_slots_held',
      help: 'Slots in use in this process, by what the slots are for.',
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
