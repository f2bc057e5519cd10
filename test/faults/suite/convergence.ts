import { setTimeout as delay } from 'node:timers/promises';
import type { Ground } from './ground.js';

// What moves when work is done. Leases that are renewed are not among it: they are, too, of a run that hangs.
const PROGRESS = `
  select (select count(*) from workflow_run where run_finished_at is null)::int as alive,
         (select count(*) from webhook_delivery where state = 'pending')::int as pending,
         (select coalesce(sum(sequence), 0) from workflow_run)::bigint::text as sequence,
         (select coalesce(sum(lease_token), 0) from workflow_run)::bigint::text as claims,
         (select coalesce(sum(attempts), 0) from webhook_delivery)::bigint::text as attempts`;

/** Longer than anything that is waited for: a key's claim of a minute. */
const STILL_MS = 100_000;

/** Resolves when nothing is left to do; answers why it never will be once nothing moves any more. */
export async function converge({ sql }: Pick<Ground, 'sql'>): Promise<string | undefined> {
  let last = '';
  let movedAt = Date.now();
  for (;;) {
    const [row] = await sql<{ alive: number; pending: number }>(PROGRESS).catch(() => []);
    if (row?.alive === 0 && row.pending === 0) return undefined;
    const now = JSON.stringify(row);
    if (now !== last) movedAt = Date.now();
    last = now;
    if (Date.now() - movedAt > STILL_MS) return `nothing converges any more: ${now}`;
    await delay(200);
  }
}
