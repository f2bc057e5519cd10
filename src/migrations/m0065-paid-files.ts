import { Migration } from '@mikro-orm/migrations';

/** Files that paid calls created keep the usage of the call. */
export class M0065PaidFiles extends Migration {
  override up(): void {
    this.addSql('alter table project_file add column paid_usage json');
    this.addSql('alter table scenario_run_file add column call_key text, add column usage json');
  }
}
