import { Migration } from '@mikro-orm/migrations';

/** Triggers with a page for people. */
export class M0061FormTriggers extends Migration {
  override up(): void {
    this.addSql('alter table workflow_trigger drop constraint workflow_trigger_kind_check');
    this.addSql(`
      alter table workflow_trigger add constraint workflow_trigger_kind_check
        check (kind in ('schedule', 'webhook', 'event', 'failure', 'form'))`);
  }
}
