import { Migration } from '@mikro-orm/migrations';

/** Tokens of OAuth 2 connections. */
export class M0060ConnectionTokens extends Migration {
  override up(): void {
    this.addSql('alter table connection add tokens text null, add refresh_at timestamptz(3) null');
  }
}
