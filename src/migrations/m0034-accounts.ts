import { Migration } from '@mikro-orm/migrations';

export class M0034Accounts extends Migration {
  override up(): void {
    // The row of a deleted user stays without personal data, because runs and the ledger reference it. It is disabled
    // as well, so that access checks read only one column.
    this.addSql('alter table app_user add disabled_at timestamptz(3) null, add deleted_at timestamptz(3) null');
    // Client networks from which a user has logged in, as a hash of both.
    this.addSql(`
      create table login_client (
        client_hash bytea primary key,
        last_login_at timestamptz(3) not null)`);
    this.addSql('create index login_client_by_age on login_client (last_login_at)');
  }
}
