import { Migration } from '@mikro-orm/migrations';

/** Sign-in links whose user sets a new password. */
export class M0051PasswordResetLinks extends Migration {
  override up(): void {
    this.addSql('alter table sign_in_link add resets_password boolean not null default false');
  }
}
