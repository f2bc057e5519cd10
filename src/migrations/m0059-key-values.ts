import { Migration } from '@mikro-orm/migrations';

/** The key-value store of projects. */
export class M0059KeyValues extends Migration {
  override up(): void {
    // Each change locks the row of its project and increments `version`, so that a version of an entry is never reused.
    // The row counts the entries and their bytes, also expired ones that are not deleted yet.
    this.addSql(`
      create table key_value_store (
        project_id int primary key constraint key_value_store_project_id_fkey references project on delete cascade,
        version bigint not null default 0,
        entries int not null default 0,
        bytes bigint not null default 0)`);
    this.addSql(`
      create table key_value_entry (
        id uuid primary key,
        project_id int not null constraint key_value_entry_project_id_fkey references project on delete cascade,
        key text collate "C" not null,
        value json not null,
        bytes int not null,
        version bigint not null,
        expires_at timestamptz(3),
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now())`);
    this.addSql('create unique index key_value_entry_of_project on key_value_entry (project_id, key)');
    this.addSql('create index key_value_entry_expiry on key_value_entry (expires_at) where expires_at is not null');
    // The outcomes of changes by runs. A repeated call of the same node returns its outcome.
    this.addSql(`
      create table key_value_change (
        id uuid primary key,
        project_id int not null constraint key_value_change_project_id_fkey references project on delete cascade,
        outcome json not null,
        created_at timestamptz(3) not null default now())`);
    this.addSql('create index key_value_change_by_age on key_value_change (created_at)');
    this.addSql('create index key_value_change_of_project on key_value_change (project_id)');
  }
}
