import { Migration } from '@mikro-orm/migrations';

export class M0024UnsuccessfulByCost extends Migration {
  override up(): void {
    // Unsuccessful runs are rare and far apart in the index of all runs by cost.
    this.addSql(
      `create index workflow_run_unsuccessful_by_cost on workflow_run (workflow_id, cost_usd, id)
        where state in ('draft', 'failed', 'cancelled')`,
    );
  }
}
