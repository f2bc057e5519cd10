import type { Usage } from '../../engine/ports.js';
import { sumUsage } from '../../engine/workflow/run/node-usage.js';
import type { Database } from '../../platform/database/database.js';
import { InvalidInputError } from '../../platform/errors/errors.js';
import { Faults } from '../../platform/errors/fields.js';
import { type NestedPage, nestedPage } from '../../platform/lists/nested-page.js';
import { type PageArgs, window } from '../../platform/lists/page.js';
import { timeConditions } from '../../platform/lists/time-filter.input.js';
import type { Currencies } from '../../platform/money/money.js';
import { Totals } from '../../platform/sql/totals.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { BillingFilter, BillingTransaction, BillingTransactionPage } from './billing-transaction.js';
import { modelUsage } from './model-usage.type.js';

const COLUMNS = `
  t.id, t.operation, t.status, t.amount_usd as "amountUsd", t.reason, t.description, t.run_id as "runId",
  t.node_id as "nodeId", t.user_id as "userId", t.usage, t.created_at as "createdAt", t.created_at as "updatedAt"`;

interface LedgerRow extends Omit<BillingTransaction, 'usage' | 'amount'> {
  amountUsd: string;
  /** Of each try. */
  usage: Usage[] | null;
}

/** Reads the ledger. Whoever asks has been let in by the resource whose rows these are. */
export class BillingService {
  readonly #totals: Totals;

  constructor(
    private readonly database: Database,
    private readonly currencies: Currencies,
  ) {
    this.#totals = new Totals(database);
  }

  /** The transactions of a run, newest first. Of all lists these have no empty page: `size` is 1-100. */
  ofRun(runId: string, filter: BillingFilter | null | undefined, page: PageArgs): Promise<BillingTransactionPage> {
    return this.#page('t.run_id = $1', runId, filter, page);
  }

  /** All transactions of a project, newest first. */
  ofProject(id: number, filter: BillingFilter | null | undefined, page: PageArgs): Promise<BillingTransactionPage> {
    return this.#page('t.project_id = $1', id, filter, page);
  }

  /** The same within a run that the viewer is known to see, one statement for the runs of a list. */
  pageOfRun(context: RequestContext, runId: string, page: PageArgs): NestedPage<BillingTransaction> {
    const list = {
      name: 'run.billingTransactions',
      parent: 'uuid' as const,
      columns: COLUMNS,
      from: 'billing_transaction t where t.run_id = parent.id',
      order: 't.created_at desc, t.id desc',
      itemsOf: async (rows: readonly LedgerRow[]) => rows.map(row => this.#transaction(row)),
    };
    return nestedPage<BillingTransaction>(context, this.database, list, runId, page);
  }

  /** The chat completions of a user or of a project, newest first. */
  ofChat(
    whose: { userId: number } | { projectId: number },
    filter: BillingFilter | null | undefined,
    page: PageArgs,
  ): Promise<BillingTransactionPage> {
    const isChat = `t.operation = 'chat-completion'`;
    if ('userId' in whose) return this.#page(`t.user_id = $1 and ${isChat}`, whose.userId, filter, page);
    return this.#page(`t.project_id = $1 and ${isChat}`, whose.projectId, filter, page);
  }

  async #page(
    whose: string,
    id: unknown,
    filter: BillingFilter | null | undefined,
    page: PageArgs,
  ): Promise<BillingTransactionPage> {
    if (page.size < 1) throw new InvalidInputError({ size: ['Ensure this value is between 1 and 100.'] });
    const { limit, offset } = window(page);
    const { operation, status } = filter ?? {};
    const faults = new Faults();
    faults.text('operation', operation, { max: 100 });
    faults.text('status', status, { max: 100 });
    faults.throwIfAny();
    const values = [id];
    const conditions = [whose, ...timeConditions(filter ?? {}, 't.created_at', values)];
    if (operation != null) conditions.push(`t.operation = $${values.push(operation)}`);
    if (status != null) conditions.push(`t.status = $${values.push(status)}`);
    const from = `billing_transaction t where ${conditions.join(' and ')}`;
    const last = values.length;
    const [rows, total] = await Promise.all([
      this.database.query<LedgerRow>(
        `select ${COLUMNS} from ${from} order by t.created_at desc, t.id desc limit $${last + 1} offset $${last + 2}`,
        [...values, limit, offset],
      ),
      this.#totals.count(from, values),
    ]);
    return { ...page, total, items: rows.map(row => this.#transaction(row)) };
  }

  #transaction({ amountUsd, usage, ...row }: LedgerRow): BillingTransaction {
    return { ...row, amount: this.currencies.of(amountUsd), usage: modelUsage(sumUsage(usage ?? [])) };
  }
}
