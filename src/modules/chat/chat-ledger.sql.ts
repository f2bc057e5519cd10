import type { Database } from '../../platform/database/database.js';
import { freedColumns, RAISE_TOTALS } from '../billing/raise-totals.sql.js';
import type { ChatEntry } from './chat-entry.js';

/** The operation that distinguishes chat completions from nodes. */
const CHAT_OPERATION = 'chat-completion';

// Rows, settled reservations and totals of all that ended at about the same time, in one statement. What named a project
// that is gone by now is its user's alone.
const writing = (onConflict: string) => `
  with given as (
    select * from json_to_recordset($1::json) as g(id uuid, "userId" int, "keyId" int, "projectId" int, status text,
      "amountUsd" numeric, reason text, description text, usage json, reservation uuid,
      "keyReservation" uuid, "serviceUsd" numeric)),
  ledger as (
    insert into billing_transaction
      (project_id, run_id, node_id, user_id, api_key_id, operation, status, amount_usd, reason, description, usage,
       service_usd)
    select p.id, g.id, '', u.id, g."keyId", '${CHAT_OPERATION}', g.status, g."amountUsd", coalesce(g.reason, ''), g.description, g.usage,
           g."serviceUsd"
      from given g left join project p on p.id = g."projectId" left join app_user u on u.id = g."userId"
    ${onConflict}
    returning project_id, user_id, amount_usd, service_usd, api_key_id),
  freed as (
    delete from budget_reservation b using given g where b.id = g.reservation returning ${freedColumns('b')}),
  freed_keys as (
    delete from key_budget_reservation r using given g where r.id = g."keyReservation" returning r.api_key_id, r.amount_usd),
  ${RAISE_TOTALS},
  by_key as (
    select id, sum(spent) as spent, sum(freed) as freed
      from (select api_key_id as id, amount_usd as spent, 0 as freed from ledger where api_key_id is not null
            union all select api_key_id, 0, amount_usd from freed_keys) as moved
     group by id having sum(spent) <> 0 or sum(freed) <> 0),
  locked_keys as (select id from api_key where id in (select id from by_key) order by id for no key update)
  update api_key k set spent_usd = k.spent_usd + b.spent, reserved_usd = k.reserved_usd - b.freed
    from locked_keys l join by_key b on b.id = l.id where k.id = l.id`;

const WRITE = writing('');
// Whether a statement that was cut off was done is unknown. To look for what may be there costs a tenth more.
const WRITE_AGAIN = writing('on conflict (run_id, ledger_key(node_id, iteration, operation)) do nothing');

/** `isFresh`: none of the entries was sent before. */
export async function writeChats(database: Database, entries: readonly ChatEntry[], isFresh: boolean): Promise<void> {
  const given = [JSON.stringify(entries)];
  if (isFresh) await database.prepared('write-chats', WRITE, given);
  else await database.prepared('write-chats-again', WRITE_AGAIN, given);
}
