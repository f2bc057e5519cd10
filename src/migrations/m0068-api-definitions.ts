import { Migration } from '@mikro-orm/migrations';

/** Imported OpenAPI documents with their operations. */
export class M0068ApiDefinitions extends Migration {
  override up(): void {
    this.addSql(`
      create table api_definition (
        id serial primary key,
        project_id int not null constraint api_definition_project_id_fkey references project on delete cascade,
        name text not null,
        title text not null default '',
        version text not null default '',
        source_url text,
        base_url text not null default '',
        connection_id int constraint api_definition_connection_id_fkey references connection on delete set null,
        operations_count int not null default 0,
        skipped_operations text[] not null default '{}',
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now())`);
    this.addSql('create unique index api_definition_of_project on api_definition (project_id, name)');
    this.addSql('create index api_definition_of_connection on api_definition (connection_id)');
    this.addSql(`
      create table api_operation (
        id serial primary key,
        api_definition_id int not null
          constraint api_operation_api_definition_id_fkey references api_definition on delete cascade,
        position int not null,
        name text not null,
        operation_id text,
        method text not null,
        path text not null,
        summary text not null default '',
        description text not null default '',
        parameters json not null,
        request json not null)`);
    this.addSql('create unique index api_operation_of_definition on api_operation (api_definition_id, position)');
  }
}
