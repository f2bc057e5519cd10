import { Migration } from '@mikro-orm/migrations';

export class M0056Connections extends Migration {
  override up(): void {
    this.addSql(`
      create table connection (
        id serial primary key,
        project_id int not null constraint connection_project_id_fkey references project on delete cascade,
        name text not null,
        kind text not null,
        preset text,
        settings json not null default '{}',
        sealed text,
        allowed_hosts text[] not null default '{}',
        secret_changed_at timestamptz(3),
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now())`);
    this.addSql('create unique index connection_of_project on connection (project_id, name)');
    // One row for each user and workflow, so that the table does not grow with the number of runs.
    this.addSql(`
      create table connection_use (
        id serial primary key,
        connection_id int not null constraint connection_use_connection_id_fkey references connection on delete cascade,
        workflow_id int not null default 0,
        user_id int not null default 0,
        run_id uuid,
        first_used_at timestamptz(3) not null default now(),
        last_used_at timestamptz(3) not null default now())`);
    this.addSql(
      'create unique index connection_use_of_workflow on connection_use (connection_id, workflow_id, user_id)',
    );
    this.addSql('create index connection_use_by_age on connection_use (last_used_at)');
  }
}
