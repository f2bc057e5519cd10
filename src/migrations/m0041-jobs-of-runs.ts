import { Migration } from '@mikro-orm/migrations';

/** The jobs of pg-boss store which runs are due and which worker has them. */
export class M0041JobsOfRuns extends Migration {
  override up(): void {
    // Indexes on these columns are dropped with them.
    for (const table of ['workflow_run', 'scenario_run', 'keyword_run'])
      this.addSql(`alter table ${table} drop lease_until`);
    this.addSql('drop index workflow_run_waiting');
    // For counting runs by state.
    this.addSql(`create index workflow_run_begun on workflow_run (state) where state in ('running', 'waiting')`);
    for (const table of ['scenario_run', 'keyword_run'])
      this.addSql(
        `create index ${table}_alive on ${table} (status, queued_at) where status in ('created', 'in_progress')`,
      );
  }
}
