import { Migration } from '@mikro-orm/migrations';

export class M0052McpServerTools extends Migration {
  override up(): void {
    this.addSql(`
      create table mcp_server_tool (
        id serial primary key,
        project_id int not null constraint mcp_server_tool_project_id_fkey references project on delete cascade,
        workflow_id int not null constraint mcp_server_tool_workflow_id_fkey references workflow on delete cascade,
        name text not null,
        description text not null default '',
        is_enabled boolean not null default true,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now())`);
    this.addSql('create unique index mcp_server_tool_of_project on mcp_server_tool (project_id, name)');
    this.addSql('create unique index mcp_server_tool_of_workflow on mcp_server_tool (workflow_id)');
  }
}
