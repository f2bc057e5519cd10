import { Migration } from '@mikro-orm/migrations';

export class M0006ToolPins extends Migration {
  override up(): void {
    // The definition of an MCP tool when its workflow was saved or when the tool was first called.
    this.addSql(`
      create table workflow_revision_tool_pin (
        revision_id int not null references workflow_revision on delete cascade,
        node_id text not null,
        tool text not null,
        schema_hash text not null,
        seen_at timestamptz not null default now(),
        primary key (revision_id, node_id, tool))`);
  }
}
