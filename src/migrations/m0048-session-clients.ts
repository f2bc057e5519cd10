import { Migration } from '@mikro-orm/migrations';

/** When a session was used last, and from where it was opened. */
export class M0048SessionClients extends Migration {
  override up(): void {
    this.addSql('alter table user_session add last_used_at timestamptz(3), add address text, add user_agent text');
  }
}
