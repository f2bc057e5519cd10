import type { Database } from '../../base/database.js';
import { InvalidInputError } from '../../base/errors.js';
import type { Currencies } from '../../base/money.js';
import { type PageArgs, window } from '../../base/page.js';
import type { Usage } from '../../engine/ports.js';
import { sumUsage } from '../../engine/workflow/node-usage.js';
import type { BillingTransaction, BillingTransactionPage } from './billing-transaction.js';
import { modelUsage } from './model-usage.type.js';

const COLUMNS = `
  id, operation, status, amount_usd as "amountUsd", reason, description, run_id as "runId", node_id as "nodeId",
  user_id as "userId", usage, created_at as "createdAt", updated_at as "updatedAt"`;

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
        `select ${COLUMNS} from billing_transaction where ${where} order by created_at desc, id desc limit $2 offset $3`,
        [value, limit, offset],
      ),
      this.database.query<{ total: number }>(`select count(*)::int as total from billing_transaction where ${where}`, [
        value,
      ]),
    ]);
    const items = rows.map(({ amountUsd, usage, ...row }) => ({
      ...row,
      amount: this.currencies.of(amountUsd),
      usage: modelUsage(sumUsage(usage ?? [])),
    }));
    return { ...page, total: count!.total, items };
  }
}
