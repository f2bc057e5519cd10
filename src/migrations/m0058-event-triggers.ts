import { Migration } from '@mikro-orm/migrations';

/** Further kinds of triggers, and the workflows that led to an event. */
export class M0058EventTriggers extends Migration {
  override up(): void {
    this.addSql(`alter table workflow_event add ancestry int[] not null default '{}'`);
    this.addSql('alter table workflow_trigger drop constraint workflow_trigger_kind_check');
    this.addSql(`
      alter table workflow_trigger add constraint workflow_trigger_kind_check
        check (kind in ('schedule', 'webhook', 'event', 'failure'))`);
  }
}
