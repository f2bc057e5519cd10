import type { Database } from '../../platform/database/database.js';
import { type PageArgs, window } from '../../platform/lists/page.js';
import type { Currencies, Money } from '../../platform/money/money.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import type { Project } from '../projects/project.js';
import type { BillingCredit, BillingCreditPage } from './billing-credit.js';

const LIST = `
  select run_id as "runId", workflow_id as "workflowId", amount_usd as "amountUsd", created_at as "createdAt"
    from billing_credit where project_id = $1 order by created_at desc, run_id desc limit $2 offset $3`;

/** What projects earn by copies of their workflows. */
export class EarningsService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly currencies: Currencies,
  ) {}

  /** Newest first. */
  async list(viewer: Viewer, projectId: number, page: PageArgs): Promise<BillingCreditPage> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const { limit, offset } = window(page);
    const [rows, [count]] = await Promise.all([
      this.database.query<Omit<BillingCredit, 'amount'> & { amountUsd: string }>(LIST, [projectId, limit, offset]),
      this.database.query<{ total: number }>(
        'select count(*)::int as total from billing_credit where project_id = $1',
        [projectId],
      ),
    ]);
    const items = rows.map(({ amountUsd, ...row }) => ({ ...row, amount: this.currencies.of(amountUsd) }));
    return { ...page, total: count!.total, items };
  }

  total({ totalEarnedUsd }: Project): Money {
    return this.currencies.of(totalEarnedUsd);
  }
}
