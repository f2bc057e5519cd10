import { Migration } from '@mikro-orm/migrations';

export class M0000SampleItems extends Migration {
  override up(): void {
    this.addSql(`
      create table sample_item (
        id serial primary key,
        project_id int not null constraint sample_item_project_id_foreign references project on delete cascade,
        name text not null,
        created_at timestamptz(3) not null default now())`);
    this.addSql('create index sample_item_of_project on sample_item (project_id)');
  }
}
