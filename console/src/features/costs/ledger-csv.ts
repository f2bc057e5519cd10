import { toCsv } from '@/shared/lists/csv';
import type { LedgerRowFragment } from './costs.generated';

/** Maximum rows of an export: a browser holds the file in memory. */
export const MAX_CSV_ROWS = 20_000;

const COLUMNS: [string, (row: LedgerRowFragment) => string | number][] = [
  ['time', row => row.createdAt],
  ['description', row => row.description],
  ['operation', row => row.operation],
  ['status', row => row.status],
  ['amount_usd', row => row.amount.usd],
  ['input_tokens', row => row.usage?.promptTokens ?? ''],
  ['output_tokens', row => row.usage?.completionTokens ?? ''],
  ['user_id', row => row.userId ?? ''],
  ['run_id', row => row.runId],
  ['node_id', row => row.nodeId],
  ['reason', row => row.reason],
];

/** The ledger as CSV with a header. `userNameOf` fills the column `user`. */
export function csvOf(rows: readonly LedgerRowFragment[], userNameOf: (row: LedgerRowFragment) => string): string {
  const columns: typeof COLUMNS = [...COLUMNS, ['user', userNameOf]];
  return toCsv(
    columns.map(([name]) => name),
    rows.map(row => columns.map(([, read]) => read(row))),
  );
}
