import type { Table } from '../../platform/database/typed-queries.js';
import type { BillingCreditEntity } from './billing-credit.entity.js';
import type { BillingTransactionEntity } from './billing-transaction.entity.js';

/** The tables of the ledger. Reservations are written by `budgets/*.sql.ts` only. */
export interface BillingTables {
  billing_credit: Table<typeof BillingCreditEntity>;
  billing_transaction: Table<typeof BillingTransactionEntity>;
}
