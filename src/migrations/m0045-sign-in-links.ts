import { Migration } from '@mikro-orm/migrations';

export class M0045SignInLinks extends Migration {
  override up(): void {
    // Links that log a user in once. Only the hash of their token is stored.
    this.addSql(`
      create table sign_in_link (
        hash bytea primary key,
        user_id int not null constraint sign_in_link_user_id_fkey references app_user on delete cascade,
        expires_at timestamptz(3) not null)`);
    this.addSql('create index sign_in_link_by_expiry on sign_in_link (expires_at)');
    this.addSql('create index sign_in_link_of_user on sign_in_link (user_id)');
  }
}
