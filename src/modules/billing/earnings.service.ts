import type { Database } from '../../platform/database/database.js';
import { queryBuilder } from '../../platform/database/typed-queries.js';
import { type PageArgs, toLimitOffset } from '../../platform/lists/page.js';
import type { Currencies, Money } from '../../platform/money/money.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ProjectAccess } from '../projects/access.js';
import type { Project } from '../projects/project.js';
import type { BillingCreditPage } from './billing-credit.js';
import type { BillingTables } from './billing-tables.js';

/** Reads the commissions that projects earn from marketplace copies of their workflows. */
export class EarningsService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly currencies: Currencies,
  ) {}

  /** Lists the commissions of a project, newest first. */
  async list(viewer: Viewer, projectId: number, page: PageArgs): Promise<BillingCreditPage> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const { limit, offset } = toLimitOffset(page);
    const credits = queryBuilder<BillingTables>(this.database)
      .selectFrom('billing_credit')
      .where('project_id', '=', projectId);
    const [rows, { total }] = await Promise.all([
      credits
        .select(['run_id as runId', 'workflow_id as workflowId', 'amount_usd as amountUsd', 'created_at as createdAt'])
        .orderBy('created_at', 'desc')
        .orderBy('run_id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
      credits.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ]);
    const items = rows.map(({ amountUsd, ...row }) => ({ ...row, amount: this.currencies.of(amountUsd) }));
    return { ...page, total, items };
  }

  total({ totalEarnedUsd }: Project): Money {
    return this.currencies.of(totalEarnedUsd);
  }
}
