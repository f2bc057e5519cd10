import type { Database } from '../../base/database.js';
import { InvalidInputError } from '../../base/errors.js';
import type { Currencies } from '../../base/money.js';
import { type NestedPage, nestedPage } from '../../base/nested-page.js';
import { type PageArgs, window } from '../../base/page.js';
import type { Usage } from '../../engine/ports.js';
import { sumUsage } from '../../engine/workflow/node-usage.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { BillingTransaction, BillingTransactionPage } from './billing-transaction.js';
import { modelUsage } from './model-usage.type.js';

const COLUMNS = `
  t.id, t.operation, t.status, t.amount_usd as "amountUsd", t.reason, t.description, t.run_id as "runId",
  t.node_id as "nodeId", t.user_id as "userId", t.usage, t.created_at as "createdAt", t.updated_at as "updatedAt"`;

interface LedgerRow extends Omit<BillingTransaction, 'usage' | 'amount'> {
  amountUsd: string;
  /** Of each try. */
  usage: Usage[] | null;
}

/** Reads the ledger. Whoever asks has been let in by the resource whose rows these are. */
export class BillingService {
  constructor(
    private readonly database: Database,
    private readonly currencies: Currencies,
  ) {}

  /** The transactions of a run, newest first. Of all lists these have no empty page: `size` is 1-100. */
  ofRun(runId: string, page: PageArgs): Promise<BillingTransactionPage> {
    return this.#page('run_id = $1', runId, page);
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
  ofChat(whose: { userId: number } | { projectId: number }, page: PageArgs): Promise<BillingTransactionPage> {
    const isChat = `operation = 'chat-completion'`;
    if ('userId' in whose) return this.#page(`user_id = $1 and ${isChat}`, whose.userId, page);
    return this.#page(`project_id = $1 and ${isChat}`, whose.projectId, page);
  }

  async #page(where: string, value: unknown, page: PageArgs): Promise<BillingTransactionPage> {
    if (page.size < 1) throw new InvalidInputError({ size: ['Ensure this value is between 1 and 100.'] });
    const { limit, offset } = window(page);
    const [rows, [count]] = await Promise.all([
      this.database.query<LedgerRow>(
        `select ${COLUMNS} from billing_transaction t where ${where} order by t.created_at desc, t.id desc limit $2 offset $3`,
        [value, limit, offset],
      ),
      this.database.query<{ total: number }>(`select count(*)::int as total from billing_transaction where ${where}`, [
        value,
      ]),
    ]);
    return { ...page, total: count!.total, items: rows.map(row => this.#transaction(row)) };
  }

  #transaction({ amountUsd, usage, ...row }: LedgerRow): BillingTransaction {
    return { ...row, amount: this.currencies.of(amountUsd), usage: modelUsage(sumUsage(usage ?? [])) };
  }
}
