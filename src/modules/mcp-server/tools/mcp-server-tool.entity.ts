import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../../projects/project.js';
import { Workflow } from '../../workflows/workflow.js';

/** A workflow that MCP clients can call as a tool. */
export const McpServerToolEntity = defineEntity({
  name: 'McpServerTool',
  tableName: 'mcp_server_tool',
  properties: {
    id: p.integer().primary().autoincrement(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('mcp_server_tool_project_id_fkey'),
    workflow: () => p.manyToOne(Workflow).deleteRule('cascade').foreignKeyName('mcp_server_tool_workflow_id_fkey'),
    name: p.text(),
    description: p.text().default(''),
    isEnabled: p.boolean().default(true),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  uniques: [
    { name: 'mcp_server_tool_of_project', properties: ['project', 'name'] },
    { name: 'mcp_server_tool_of_workflow', properties: ['workflow'] },
  ],
});
