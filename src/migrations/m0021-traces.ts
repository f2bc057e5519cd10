import { Migration } from '@mikro-orm/migrations';

export class M0021Traces extends Migration {
  override up(): void {
    // The trace in which a run was accepted, as W3C writes it: whichever process executes the run goes on with it.
    this.addSql('alter table workflow_run add traceparent text null');
    this.addSql('alter table scenario_run add traceparent text null');
  }
}
