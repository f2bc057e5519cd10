import { Migration } from '@mikro-orm/migrations';

export class M0038FewerBytes extends Migration {
  override up(): void {
    // Columns that change between two states have no index, so the new row version stays on its page. Both are null
    // outside of state `running`. The next state change moves the cost to cost_usd.
    this.addSql('alter table workflow_run add running_cost_usd numeric null, add recorded_at timestamptz(3) null');
    // Queued runs have a separate index.
    this.addSql(`create index workflow_run_leased on workflow_run (lease_until) where state = 'running'`);
    this.addSql('drop index workflow_run_alive');

    // Each insert locked the row of its run. The rows are inserted by the statement that writes the run, so no check is
    // needed. One delete statement for all deleted runs replaces a cascade per run.
    for (const table of ['workflow_run_payload', 'workflow_run_journal'])
      this.addSql(`alter table ${table} drop constraint ${table}_run_id_fkey`);
    this.addSql(`
      create function delete_parts_of_runs() returns trigger language plpgsql as $$
      begin
        delete from workflow_run_payload p using deleted d where p.run_id = d.id and p.run_created_at = d.created_at;
        delete from workflow_run_journal j using deleted d where j.run_id = d.id and j.run_created_at = d.created_at;
        return null;
      end $$`);
    this.addSql(`
      create trigger workflow_run_deleted after delete on workflow_run referencing old table as deleted
      for each statement execute function delete_parts_of_runs()`);

    // No query uses the id. Rows are found by run, project or user.
    this.addSql('alter table billing_transaction drop constraint billing_transaction_pkey');
  }
}
