import { Migration } from '@mikro-orm/migrations';

export class M0069RunTags extends Migration {
  override up(): void {
    this.addSql(`
      create table workflow_run_tag (
        run_id uuid not null constraint workflow_run_tag_run_id_fkey references workflow_run on delete cascade,
        tag text not null,
        project_id int not null constraint workflow_run_tag_project_id_fkey references project on delete cascade,
        primary key (run_id, tag))`);
    this.addSql('create index workflow_run_tag_of_project on workflow_run_tag (project_id, tag, run_id)');
  }
}
