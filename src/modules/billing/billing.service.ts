import type { Usage } from '../../engine/ports.js';
import { sumUsage } from '../../engine/workflow/run/node-usage.js';
import type { Database, Sql } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { type Connection, type ConnectionArgs, type Keyset, readConnection } from '../../platform/lists/connection.js';
import { type NestedPage, type NestedRows, nestedRows } from '../../platform/lists/nested-rows.js';
import { type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import { timeWithin } from '../../platform/lists/time-filter.input.js';
import type { Currencies } from '../../platform/money/money.js';
import { Totals } from '../../platform/sql/totals.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { BillingTables } from './billing-tables.js';
import type { BillingFilter, BillingTransaction, BillingTransactionPage } from './billing-transaction.js';
import { modelUsage } from './model-usage.type.js';

interface LedgerRow extends Omit<BillingTransaction, 'usage' | 'amount'> {
  amountUsd: string;
  /** One entry for each attempt. */
  usage: Usage[] | null;
}

const NEWEST_FIRST: Keyset = {
  name: 'billingTransactions',
  columns: [
    { ref: 't.created_at', type: 'timestamptz' },
    { ref: 't.id', type: 'uuid' },
  ],
  order: 'desc',
};

/** Reads the ledger. The caller has already checked the rights of the viewer for the run, project or user. */
export class BillingService {
  readonly #totals = new Totals();

  constructor(
    private readonly database: Database,
    private readonly currencies: Currencies,
  ) {}

  /** Lists the transactions of a run, newest first. Unlike in other lists, `size` must be 1-100, not 0. */
  ofRun(runId: string, filter: BillingFilter | null | undefined, page: PageArgs): Promise<BillingTransactionPage> {
    return this.#page(ledgerOf(this.database).where('t.run_id', '=', runId), filter, page);
  }

  /** Lists all transactions of a project, newest first. */
  ofProject(id: number, filter: BillingFilter | null | undefined, page: PageArgs): Promise<BillingTransactionPage> {
    return this.#page(ledgerOf(this.database).where('t.project_id', '=', id), filter, page);
  }

  /** Lists the transactions of a run or of a project, newest first, selected by cursors. */
  connection(
    owner: { runId: string } | { projectId: number },
    filter: BillingFilter | null | undefined,
    args: ConnectionArgs,
  ): Promise<Connection<BillingTransaction>> {
    const ledger =
      'runId' in owner
        ? ledgerOf(this.database).where('t.run_id', '=', owner.runId)
        : ledgerOf(this.database).where('t.project_id', '=', owner.projectId);
    return readConnection(
      {
        rows: ledgerRows(filterLedger(ledger, filter)),
        keyset: NEWEST_FIRST,
        totals: this.#totals,
        itemOf: row => this.#transaction(row),
      },
      args,
    );
  }

  /** Returns the transactions of a run as a nested list, with one statement for all runs of a list. */
  pageOfRun(context: RequestContext, runId: string, page: PageArgs): NestedPage<BillingTransaction> {
    const list: NestedRows<string, LedgerRow, BillingTransaction> = {
      name: 'run.billingTransactions',
      parent: 'uuid',
      rows: (sql, parentId) => newestFirst(ledgerOf(sql).where('t.run_id', '=', parentId)),
      itemsOf: async rows => rows.map(row => this.#transaction(row)),
    };
    return nestedRows(context, this.database, list, runId, page);
  }

  /** Lists the chat completions of a user or of a project, newest first. */
  ofChat(
    owner: { userId: number } | { projectId: number },
    filter: BillingFilter | null | undefined,
    page: PageArgs,
  ): Promise<BillingTransactionPage> {
    const completions = ledgerOf(this.database).where('t.operation', '=', 'chat-completion');
    if ('userId' in owner) return this.#page(completions.where('t.user_id', '=', owner.userId), filter, page);
    return this.#page(completions.where('t.project_id', '=', owner.projectId), filter, page);
  }

  async #page(
    ledger: Ledger,
    filter: BillingFilter | null | undefined,
    page: PageArgs,
  ): Promise<BillingTransactionPage> {
    if (page.size < 1) throw new InvalidInputError({ size: ['Ensure this value is between 1 and 100.'] });
    const { limit, offset } = toLimitOffset(page);
    const transactions = filterLedger(ledger, filter);
    const [rows, total] = await Promise.all([
      newestFirst(transactions).limit(limit).offset(offset).execute(),
      this.#totals.read(transactions.select(({ fn }) => fn.countAll<number>().as('total'))),
    ]);
    return { ...page, total, items: rows.map(row => this.#transaction(row)) };
  }

  #transaction({ amountUsd, usage, ...row }: LedgerRow): BillingTransaction {
    return { ...row, amount: this.currencies.of(amountUsd), usage: modelUsage(sumUsage(usage ?? [])) };
  }
}

type Ledger = ReturnType<typeof ledgerOf>;

function ledgerOf(sql: Sql) {
  return queryBuilder<BillingTables>(sql).selectFrom('billing_transaction as t');
}

/** @throws InvalidInputError for a condition that is too long */
function filterLedger(ledger: Ledger, filter: BillingFilter | null | undefined): Ledger {
  const { operation, status } = filter ?? {};
  const faults = new Faults();
  faults.text('operation', operation, { max: 100 });
  faults.text('status', status, { max: 100 });
  faults.throwIfAny();
  return ledger
    .where(({ and }) => and(timeWithin(filter ?? {}, 't.created_at')))
    .$if(operation != null, query => query.where('t.operation', '=', operation!))
    .$if(status != null, query => query.where('t.status', '=', status as 'Success' | 'Error'));
}

function newestFirst(ledger: Ledger) {
  return ledgerRows(ledger).orderBy('t.created_at', 'desc').orderBy('t.id', 'desc');
}

function ledgerRows(ledger: Ledger) {
  return ledger
    .select(['t.id', 't.operation', 't.status', 't.amount_usd as amountUsd', 't.reason'])
    .select(({ fn }) => fn.coalesce('t.description', 't.operation').as('description'))
    .select(['t.run_id as runId', 't.node_id as nodeId', 't.user_id as userId', 't.usage'])
    .select(['t.created_at as createdAt', 't.created_at as updatedAt'])
    .$castTo<LedgerRow>();
}
