import type { Database } from '../platform/database/database.js';
import type { Log } from '../platform/logging/log.js';
import { cachedReading } from '../platform/metrics/cached-reading.js';
import type { Reading, Sample } from '../platform/metrics/reading.js';
import { type BacklogRow, MOST, readBacklog } from './backlog.sql.js';

const KINDS = ['workflow', 'scenario', 'keyword', 'recognition', 'webhook'];

/** What waits to be worked off, in all processes together: each of them shows the same. */
export function backlogReadings(database: Database, log: Log): Reading[] {
  const look = cachedReading(
    () => readBacklog(database),
    error => log.warn({ reason: error.message }, 'the backlog could not be counted'),
  );
  return [
    {
      name: 'scenarium_runs',
      help: `Runs that have not ended, and webhooks that are due (queued) or wait for another attempt (waiting), in all processes together; ${MOST} stands for as many or more.`,
      labels: ['kind', 'state'],
      read: async () => countsOf(await look()),
    },
    {
      name: 'scenarium_queue_oldest_seconds',
      help: 'For how long the oldest one that is queued has waited, in all processes together; 0: none is queued.',
      labels: ['kind'],
      read: async () => agesOf(await look()),
    },
    {
      name: 'scenarium_database_up',
      help: 'Whether the database answered when somebody looked.',
      read: async () => [{ value: (await look()) === null ? 0 : 1 }],
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
