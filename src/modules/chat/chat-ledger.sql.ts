import type { Database } from '../../platform/database/database.js';
import { type ColumnTypes, columnArrays, columnsTable } from '../../platform/sql/column-arrays.js';
import { SETTLE_KEYS } from '../accounts/api-keys/key-spending.sql.js';
import { freedKeysSql } from '../billing/budgets/key-reservations.sql.js';
import { freedSql, insertEntriesSql, ownersSql, RAISE_TOTALS } from '../billing/ledger.sql.js';
import type { ChatEntry } from './chat-entry.js';

/** The operation that distinguishes chat completions from nodes. */
const CHAT_OPERATION = 'chat-completion';

const COLUMNS: ColumnTypes<ChatEntry> = {
  id: 'uuid',
  userId: 'int',
  keyId: 'int',
  projectId: 'int',
  status: 'text',
  amountUsd: 'numeric',
  reason: 'text',
  description: 'text',
  usage: 'json',
  reservation: 'uuid',
  keyReservation: 'uuid',
  serviceUsd: 'numeric',
};

// Writes rows, reservations and totals of a batch in one statement. An entry whose project has been deleted counts only for its user.
// An empty `onConflict` skips the check for rows that exist already.
const writeSql = (onConflict?: '') => `
  with given as materialized (select * from ${columnsTable(COLUMNS, 'g')}),
  ${ownersSql('select "projectId" from given', 'select "userId" from given')},
  ledger as (${insertEntriesSql(
    'project_id, run_id, node_id, user_id, api_key_id, operation, status, amount_usd, reason, description, usage, service_usd',
    `select p.id, g.id, '', u.id, g."keyId", '${CHAT_OPERATION}', g.status, g."amountUsd", coalesce(g.reason, ''), g.description, g.usage,
           g."serviceUsd"
      from given g left join owning_projects p on p.id = g."projectId" left join owning_users u on u.id = g."userId"`,
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
  const values = columnArrays(COLUMNS, entries);
  if (isFresh) await database.prepared('write-chats', WRITE, values);
  else await database.prepared('write-chats-again', WRITE_AGAIN, values);
}
