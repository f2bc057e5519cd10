import { Migration } from '@mikro-orm/migrations';

export class M0047ProjectVariables extends Migration {
  override up(): void {
    // A secret has `sealed` and no `value`; any other variable has `value` and no `sealed`.
    this.addSql(`
      create table project_variable (
        id serial primary key,
        project_id int not null constraint project_variable_project_id_fkey references project on delete cascade,
        name text not null,
        value text,
        sealed text,
        allowed_hosts text[] not null default '{}',
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        constraint project_variable_one_value check ((value is null) <> (sealed is null)))`);
    this.addSql('create unique index project_variable_of_project on project_variable (project_id, name)');
  }
}
