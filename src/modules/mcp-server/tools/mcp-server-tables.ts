import type { Table } from '../../../platform/database/typed-queries.js';
import type { ProjectTables } from '../../projects/project-tables.js';
import type { WorkflowTables } from '../../workflows/workflow-tables.js';
import type { McpServerToolEntity } from './mcp-server-tool.entity.js';

export interface McpServerTables extends ProjectTables, WorkflowTables {
  mcp_server_tool: Table<typeof McpServerToolEntity>;
}
