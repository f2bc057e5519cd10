import type { Database } from '../platform/database/database.js';
import type { Log } from '../platform/logging/log.js';
import { cachedQuery } from '../platform/metrics/cached-query.js';
import type { PolledMetric, Sample } from '../platform/metrics/polled-metric.js';
import { type BacklogRow, MAX_COUNTED, readBacklog } from './backlog.sql.js';

const KINDS = ['workflow', 'scenario', 'keyword', 'recognition', 'rehearsal', 'webhook'];

/** Metrics of the backlog. The counts are global, so every process reports the same values. */
export function backlogMetrics(database: Database, log: Log): PolledMetric[] {
  const loadBacklog = cachedQuery(
    () => readBacklog(database),
    error => log.warn({ reason: error.message }, 'counting the backlog failed'),
  );
  return [
    {
      name: 'scenarium_runs',
      help: `Unfinished runs, and webhook deliveries that are due (queued) or wait for a retry (waiting), over all processes. Counts are capped at ${MAX_COUNTED}.`,
      labels: ['kind', 'state'],
      read: async () => countsOf(await loadBacklog()),
    },
    {
      name: 'scenarium_queue_oldest_seconds',
      help: 'Age in seconds of the oldest queued item, over all processes. 0 when none is queued.',
      labels: ['kind'],
      read: async () => agesOf(await loadBacklog()),
    },
    {
      name: 'scenarium_database_up',
      help: '1 when the database answered the last reading of these metrics, otherwise 0.',
      read: async () => [{ value: (await loadBacklog()) === null ? 0 : 1 }],
    },
  ];
}

function countsOf(rows: BacklogRow[] | null): Sample[] {
  if (rows === null) return [];
  const none = KINDS.map(kind => ({ labels: { kind, state: 'queued' }, value: 0 }));
  return [...none, ...rows.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count }))];
}

function agesOf(rows: BacklogRow[] | null): Sample[] {
  if (rows === null) return [];
  const ages = new Map(rows.flatMap(({ kind, state, oldest }) => (state === 'queued' ? [[kind, oldest]] : [])));
  return KINDS.map(kind => ({ labels: { kind }, value: Math.max(ages.get(kind) ?? 0, 0) }));
}
