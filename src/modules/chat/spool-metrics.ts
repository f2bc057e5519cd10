import type { PolledMetric } from '../../platform/metrics/polled-metric.js';
import type { LineSpool } from '../../platform/spool/line-spool.js';

/** Metrics of entries that wait for the ledger. Processes with the same DATA_DIR share the spool. */
export function spoolMetrics(parts: {
  spool: LineSpool;
  /** Entries in the memory of this process. */
  waiting: () => number;
  errors: () => number;
}): PolledMetric[] {
  const { spool, waiting, errors } = parts;
  return [
    {
      name: 'scenarium_ledger_waiting',
      help: 'Answered chat completions of this process that are neither on the ledger nor in the spool.',
      read: () => [{ value: waiting() }],
    },
    {
      name: 'scenarium_ledger_spool_bytes',
      help: 'Bytes in the ledger spool: `waiting` for the database, or `refused` by it permanently.',
      labels: ['state'],
      read: async () => {
        const { bytes, refusedBytes } = await spool.status();
        return [
          { labels: { state: 'waiting' }, value: bytes },
          { labels: { state: 'refused' }, value: refusedBytes },
        ];
      },
    },
    {
      name: 'scenarium_ledger_spool_oldest_seconds',
      help: 'Age of the oldest spooled entry in seconds; 0 if the spool is empty.',
      read: async () => [{ value: (await spool.status()).oldestMs / 1000 }],
    },
    {
      name: 'scenarium_ledger_spool_errors_total',
      help: 'Failed writes to the ledger spool.',
      isCounter: true,
      read: () => [{ value: errors() }],
    },
  ];
}
