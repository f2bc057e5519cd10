import { Migration } from '@mikro-orm/migrations';

export class M0054ProjectFiles extends Migration {
  override up(): void {
    // run_id is the last run that uses the file. It is no foreign key: an hourly task deletes the files of deleted runs.
    this.addSql(`
      create table project_file (
        id uuid primary key,
        project_id int not null constraint project_file_project_id_fkey references project on delete cascade,
        run_id uuid,
        result_file text not null constraint project_file_result_file_key unique,
        filename text not null,
        content_type text not null,
        size bigint not null,
        sha256 bytea not null,
        created_at timestamptz(3) not null default now())`);
    this.addSql('create index project_file_history on project_file (project_id, created_at desc, id desc)');
    this.addSql('create index project_file_of_run on project_file (run_id) where run_id is not null');
    this.addSql('create index project_file_unused on project_file (created_at) where run_id is null');
    this.addSql(`
      create trigger project_file_deleted after delete on project_file
        for each row execute function document_file_unused()`);
    this.addSql(`
      create trigger project_file_replaced after update of result_file on project_file
        for each row when (old.result_file <> new.result_file) execute function document_file_unused()`);
    this.addSql(`
      create trigger project_file_stored after insert on project_file referencing new table as added
        for each statement execute function project_storage_grows()`);
    this.addSql(`
      create trigger project_file_unstored after delete on project_file referencing old table as gone
        for each statement execute function project_storage_shrinks()`);
    this.addSql(`
      create trigger project_file_resized after update of size on project_file for each row
        when (old.size <> new.size) execute function project_storage_changes()`);
  }
}
