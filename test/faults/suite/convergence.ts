import { setTimeout as delay } from 'node:timers/promises';
import type { Fixture } from './fixture.js';

// Values that change when work is done. Renewed leases do not count, because a run that hangs renews them too.
const PROGRESS = `
  select (select count(*) from workflow_run where run_finished_at is null)::int as unfinished,
         (select count(*) from webhook_delivery where state = 'pending')::int as pending,
         (select coalesce(sum(sequence), 0) from workflow_run)::bigint::text as sequence,
         (select coalesce(sum(lease_token), 0) from workflow_run)::bigint::text as claims,
         (select coalesce(sum(attempts), 0) from webhook_delivery)::bigint::text as attempts`;

/** Longer than every wait of the service. The longest wait, a minute, is for the claim of an idempotency key. */
const STALL_MS = 100_000;

/** Waits until no work is left. Returns undefined, or a description of the unfinished work if nothing changes for STALL_MS. */
export async function converge({ sql }: Pick<Fixture, 'sql'>): Promise<string | undefined> {
  let last = '';
  let changedAt = Date.now();
  for (;;) {
    const [row] = await sql<{ unfinished: number; pending: number }>(PROGRESS).catch(() => []);
    if (row?.unfinished === 0 && row.pending === 0) return undefined;
    const now = JSON.stringify(row);
    if (now !== last) changedAt = Date.now();
    last = now;
    if (Date.now() - changedAt > STALL_MS) return `nothing changes any more: ${now}`;
    await delay(200);
  }
}
