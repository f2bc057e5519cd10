import { Migration } from '@mikro-orm/migrations';

export class M0016RunFiles extends Migration {
  override up(): void {
    // Files created by runs. They are deleted with their runs.
    this.addSql(`
      create table scenario_run_file (
        result_file text primary key,
        run_id int not null references scenario_run on delete cascade,
        content_type text not null,
        size bigint not null,
        created_at timestamptz(3) not null default now())`);
    this.addSql('create index scenario_run_file_of_run on scenario_run_file (run_id)');
    this.addSql(`
      create trigger scenario_run_file_deleted after delete on scenario_run_file
        for each row execute function document_file_unused()`);
  }
}
