import type { Reading } from '../../platform/metrics/reading.js';
import type { LineSpool } from '../../platform/spool/line-spool.js';

/** What waits to be written on the ledger, for the metrics. The spool is that of all processes with the same DATA_DIR. */
export function spoolReadings(parts: {
  spool: LineSpool;
  /** Entries in the memory of this process. */
  waiting: () => number;
  errors: () => number;
}): Reading[] {
  const { spool, waiting, errors } = parts;
  return [
    {
      name: 'scenarium_ledger_waiting',
      help: 'Chat completions that were answered and are neither on the ledger nor in the spool, in this process.',
      read: () => [{ value: waiting() }],
    },
    {
      name: 'scenarium_ledger_spool_bytes',
      help: 'Bytes in the spool of the ledger: `waiting` for the database, or `refused` by it for ever.',
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
      help: 'For how long the oldest entry of the spool has waited for the database; 0: none waits.',
      read: async () => [{ value: (await spool.status()).oldestMs / 1000 }],
    },
    {
      name: 'scenarium_ledger_spool_errors_total',
      help: 'Attempts to write to the spool that the file system refused.',
      isCounter: true,
      read: () => [{ value: errors() }],
    },
  ];
}
