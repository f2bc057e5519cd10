import { Migration } from '@mikro-orm/migrations';

export class M0012Documents extends Migration {
  override up(): void {
    this.addSql(`
      create table document (
        id serial primary key,
        project_id int not null references project on delete cascade,
        created_by_id int null references app_user on delete set null,
        key text not null,
        filename text not null,
        result_file text not null unique,
        content_type text not null,
        size bigint not null,
        sha256 bytea not null,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now())`);
    this.addSql('create index document_of_project on document (project_id, id)');
    this.addSql('create index document_created_by on document (created_by_id)');
    // Stored files without a document, and the time at which they may be removed. A file is recorded here before it is
    // stored. The transaction that writes its document deletes the record, so a crash leaves no orphaned file.
    this.addSql(`
      create table document_file_removal (
        result_file text primary key,
        due_at timestamptz not null default now())`);
    this.addSql('create index document_file_removal_due on document_file_removal (due_at)');
    this.addSql(`
      create function document_file_unused() returns trigger language plpgsql as $$
      begin
        insert into document_file_removal (result_file) values (old.result_file) on conflict do nothing;
        return null;
      end $$`);
    // Rows of a deleted project are deleted by cascade.
    this.addSql(`
      create trigger document_deleted after delete on document
        for each row execute function document_file_unused()`);
    this.addSql(`
      create trigger document_replaced after update of result_file on document
        for each row when (old.result_file <> new.result_file) execute function document_file_unused()`);
    this.addSql(`
      create table recognition_run (
        id serial primary key,
        project_id int not null references project on delete cascade,
        document_id int not null references document on delete cascade,
        created_by_id int null references app_user on delete set null,
        state text not null default 'created' check (state in ('created', 'in_progress', 'finished', 'error')),
        chunk_size int not null,
        chunks_count int not null default 0,
        progress real not null default 0,
        cost_usd numeric not null default 0,
        error text null,
        attempts int not null default 0,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        started_at timestamptz(3) null,
        finished_at timestamptz(3) null)`);
    this.addSql('create index recognition_run_of_project on recognition_run (project_id, id)');
    this.addSql('create index recognition_run_of_document on recognition_run (document_id)');
    this.addSql('create index recognition_run_created_by on recognition_run (created_by_id)');
    this.addSql(
      `create index recognition_run_open on recognition_run (updated_at) where state in ('created', 'in_progress')`,
    );
    this.addSql(`
      create table recognition_chunk (
        id serial primary key,
        run_id int not null references recognition_run on delete cascade,
        index int not null,
        text text not null,
        tokens int not null,
        page int null,
        is_enabled boolean not null default true,
        created_at timestamptz(3) not null default now(),
        search tsvector not null generated always as (to_tsvector('simple', text)) stored,
        unique (run_id, index))`);
    this.addSql('create index recognition_chunk_search on recognition_chunk using gin (search)');
  }
}
