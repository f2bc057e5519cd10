import { Migration } from '@mikro-orm/migrations';

/** The worker with a project's job sends its webhooks. Rows no longer store who attempts them. */
export class M0042JobsOfWebhooks extends Migration {
  override up(): void {
    this.addSql('alter table webhook_delivery drop taken_until');
  }
}
