import { Migration } from '@mikro-orm/migrations';

export class M0027AcceptedMigrations extends Migration {
  override up(): void {
    // Migrations of newer releases that an operator accepted for an older release.
    this.addSql(`
      create table accepted_migration (
        name text primary key,
        accepted_at timestamptz not null default now()
      )`);
  }
}
