import { Migration } from '@mikro-orm/migrations';

export class M0040ShortKeys extends Migration {
  override up(): void {
    // Half a SHA-256 hash distinguishes the requests of a key.
    this.addSql('update idempotency_key set request_digest = substring(request_digest from 1 for 16)');
    // Only a claim needs it; answered rows have null.
    this.addSql('alter table idempotency_key alter claim drop not null');
    // Each insert locked the row of its user. Rows are deleted after 24 hours in any case.
    this.addSql('alter table idempotency_key drop constraint idempotency_key_user_id_fkey');
  }
}
