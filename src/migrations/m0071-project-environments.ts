import { Migration } from '@mikro-orm/migrations';

/** Environments of projects, with values of their variables. */
export class M0071ProjectEnvironments extends Migration {
  override up(): void {
    this.addSql(`
      create table project_environment (
        id serial primary key,
        project_id int not null constraint project_environment_project_id_fkey references project on delete cascade,
        name text not null,
        created_at timestamptz(3) not null default now())`);
    this.addSql('create unique index project_environment_of_project on project_environment (project_id, name)');
    this.addSql(`
      create table project_variable_value (
        id serial primary key,
        project_variable_id int not null
          constraint project_variable_value_project_variable_id_fkey references project_variable on delete cascade,
        project_environment_id int not null
          constraint project_variable_value_project_environment_id_fkey references project_environment on delete cascade,
        value text,
        sealed text,
        updated_at timestamptz(3) not null default now())`);
    this.addSql(
      'create unique index project_variable_value_of_environment on project_variable_value (project_variable_id, project_environment_id)',
    );
    this.addSql(
      'create index project_variable_value_by_environment on project_variable_value (project_environment_id)',
    );
    // Null: the default environment.
    this.addSql('alter table workflow_run add column environment text');
    this.addSql('alter table workflow_trigger add column environment text');
  }
}
