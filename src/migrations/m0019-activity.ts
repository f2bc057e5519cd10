import { Migration } from '@mikro-orm/migrations';

/** Indexes for reading the activity of a project since a moment, and notifications of new activity. */
export class M0019Activity extends Migration {
  override up(): void {
    for (const run of ['workflow_run', 'scenario_run', 'recognition_run', 'keyword_run']) {
      const index = `${run}_moved`;
      this.addSql(`create index ${index} on ${run} (project_id, updated_at)`);
    }
    // The new index has the same leading column.
    this.addSql('drop index workflow_run_of_project');
    this.addSql('drop index scenario_run_of_project');

    // An agent records its request with the worker's clock. This column uses the database's clock, like all other
    // timestamps here.
    this.addSql('alter table workflow_run_approval add column created_at timestamptz(3) not null default now()');
    this.addSql(
      'create index workflow_run_approval_moved on workflow_run_approval (project_id, (coalesce(decided_at, created_at)))',
    );
    this.addSql(
      'create index workflow_run_approval_expiry on workflow_run_approval (project_id, expires_at) where decision is null',
    );

    // Runs of workflows are frequent, so the statements that write them send the notifications.
    this.addSql(`
      create function tell_project_activity() returns trigger language plpgsql as $$
      begin
        perform pg_notify('scenarium', 'activity:' || new.project_id);
        return null;
      end $$`);
    for (const [table, column] of [
      ['scenario_run', 'status'],
      ['recognition_run', 'state'],
      ['keyword_run', 'status'],
    ]) {
      this.addSql(`
        create trigger ${table}_made after insert on ${table} for each row execute function tell_project_activity()`);
      this.addSql(`
        create trigger ${table}_moved after update of ${column} on ${table} for each row
        when (old.${column} is distinct from new.${column}) execute function tell_project_activity()`);
    }
    this.addSql(`
      create trigger workflow_run_approval_decided after update of decision on workflow_run_approval for each row
      execute function tell_project_activity()`);
  }
}
