import type { Database } from '../../platform/database/database.js';
import { SETTLE_KEYS } from '../accounts/api-keys/key-spending.sql.js';
import { freedKeysSql } from '../billing/budgets/key-reservations.sql.js';
import { freedSql, insertEntriesSql, RAISE_TOTALS } from '../billing/ledger.sql.js';
import type { ChatEntry } from './chat-entry.js';

/** The operation that distinguishes chat completions from nodes. */
const CHAT_OPERATION = 'chat-completion';

// Writes rows, reservations and totals of a batch in one statement. An entry whose project has been deleted counts only for its user.
// An empty `onConflict` skips the check for rows that exist already.
const writeSql = (onConflict?: '') => `
  with given as (
    select * from json_to_recordset($1::json) as g(id uuid, "userId" int, "keyId" int, "projectId" int, status text,
      "amountUsd" numeric, reason text, description text, usage json, reservation uuid,
      "keyReservation" uuid, "serviceUsd" numeric)),
  ledger as (${insertEntriesSql(
    'project_id, run_id, node_id, user_id, api_key_id, operation, status, amount_usd, reason, description, usage, service_usd',
    `select p.id, g.id, '', u.id, g."keyId", '${CHAT_OPERATION}', g.status, g."amountUsd", coalesce(g.reason, ''), g.description, g.usage,
           g."serviceUsd"
      from given g left join project p on p.id = g."projectId" left join app_user u on u.id = g."userId"`,
    onConflict,
  )}
    returning project_id, user_id, amount_usd, service_usd, api_key_id),
  ${freedSql('b.id = g.reservation', 'given g')},
  ${freedKeysSql('r.id = g."keyReservation"', 'given g')},
  ${RAISE_TOTALS},
  ${SETTLE_KEYS}`;

const WRITE = writeSql('');
// For entries that an interrupted statement may have written. The conflict check makes this statement 10 % slower.
const WRITE_AGAIN = writeSql();

/** Writes entries to the ledger. `isFresh` means that none of them was sent before. */
export async function writeChats(database: Database, entries: readonly ChatEntry[], isFresh: boolean): Promise<void> {
  const values = [JSON.stringify(entries)];
  if (isFresh) await database.prepared('write-chats', WRITE, values);
  else await database.prepared('write-chats-again', WRITE_AGAIN, values);
}
