import { Migration } from '@mikro-orm/migrations';

export class M0021Traces extends Migration {
  override up(): void {
    // The W3C traceparent of the request that created the run. Any process that executes the run continues this trace.
    this.addSql('alter table workflow_run add traceparent text null');
    this.addSql('alter table scenario_run add traceparent text null');
  }
}
