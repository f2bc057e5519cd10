import { Migration } from '@mikro-orm/migrations';

/** The holder of a project's job sends its webhooks: rows do not say who attempts them. */
export class M0042JobsOfWebhooks extends Migration {
  override up(): void {
    this.addSql('alter table webhook_delivery drop taken_until');
  }
}
