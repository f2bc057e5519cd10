import { Migration } from '@mikro-orm/migrations';

/** Workflow runs that messages of scenario runs start. */
export class M0070WorkflowsOfScenarioRuns extends Migration {
  override up(): void {
    this.addSql('alter table workflow_run add column scenario_run_id int');
    this.addSql(`
      create index workflow_run_of_scenario_run on workflow_run (scenario_run_id, created_at, id)
        where scenario_run_id is not null`);
  }
}
