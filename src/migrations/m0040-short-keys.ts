import { Migration } from '@mikro-orm/migrations';

export class M0040ShortKeys extends Migration {
  override up(): void {
    // Half a SHA-256 hash distinguishes the requests of a key.
    this.addSql('update idempotency_key set request_digest = substring(request_digest from 1 for 16)');
    // The token of the process that executes the request. Rows with a stored response have null.
    this.addSql('alter table idempotency_key alter claim drop not null');
    // The foreign key made each insert lock the row of its user. Rows of deleted users expire after 24 hours.
    this.addSql('alter table idempotency_key drop constraint idempotency_key_user_id_fkey');
  }
}
