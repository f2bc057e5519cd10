import type { Database, Sql } from '../../../platform/database/database.js';
import { NOW, queryBuilder } from '../../../platform/database/typed-queries.js';
import { ConflictError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults } from '../../../platform/errors/fields.js';
import { readWindow } from '../../../platform/lists/counted-page.js';
import { type Page, type PageArgs, toLimitOffset } from '../../../platform/lists/page.js';
import { recordAuditEvent } from '../../accounts/audit.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { ProjectAccess } from '../../projects/access.js';
import { lockProject } from '../../projects/lock-project.js';
import { locateWorkflow, RUNNABLE_REVISION } from '../../workflows/locate-workflow.js';
import type { McpServerTables } from './mcp-server-tables.js';
import type { McpServerTool, McpServerToolInput } from './mcp-server-tool.type.js';

/** The maximum number of tools of a project. */
export const MAX_SERVER_TOOLS = 200;
/** Model providers accept no other names. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_DESCRIPTION = 2_000;

/** Manages the workflows that are tools for MCP clients. Tools of archived workflows do not exist for callers. */
export class McpServerToolService {
  constructor(
    private readonly database: Database,
    private readonly access: ProjectAccess,
  ) {}

  /** The tools of a project by name, with disabled ones. */
  async list(viewer: Viewer, projectId: number, page: PageArgs): Promise<Page<McpServerTool>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const rows = selectTools(this.database).where('t.project_id', '=', projectId).orderBy('t.name');
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  /** The tool of a workflow. */
  async get(viewer: Viewer, workflowId: number): Promise<McpServerTool> {
    await locateWorkflow(this.database, viewer, workflowId, 'project.read');
    return readTool(this.database, workflowId);
  }

  /** The enabled tools of a project by name. */
  async listEnabled(viewer: Viewer, projectId: number, page: PageArgs): Promise<Page<McpServerTool>> {
    await this.access.authorize(viewer, projectId, 'project.read');
    const rows = selectTools(this.database)
      .where('t.project_id', '=', projectId)
      .where('t.is_enabled', '=', true)
      .orderBy('t.name');
    return { ...page, ...(await readWindow(rows, toLimitOffset(page))) };
  }

  /** The enabled tool with this name. Undefined: there is none. */
  async findEnabled(viewer: Viewer, projectId: number, name: string): Promise<McpServerTool | undefined> {
    await this.access.authorize(viewer, projectId, 'project.read');
    return selectTools(this.database)
      .where('t.project_id', '=', projectId)
      .where('t.is_enabled', '=', true)
      .where('t.name', '=', name)
      .executeTakeFirst();
  }

  /** Makes a workflow a tool, or replaces the settings of its tool. */
  async save(viewer: Viewer, workflowId: number, input: McpServerToolInput): Promise<McpServerTool> {
    const { projectId } = await locateWorkflow(this.database, viewer, workflowId, 'mcp-server-tool.update');
    assertValid(input);
    const { name } = input;
    const settings = { name, description: input.description ?? '', is_enabled: input.isEnabled ?? true };
    return this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      await deleteToolsOfArchivedWorkflows(sql, projectId);
      await assertAvailable(sql, { projectId, workflowId, name });
      await queryBuilder<McpServerTables>(sql)
        .insertInto('mcp_server_tool')
        .values({ project_id: projectId, workflow_id: workflowId, ...settings })
        .onConflict(conflict => conflict.column('workflow_id').doUpdateSet({ ...settings, updated_at: NOW }))
        .execute();
      const object = { type: 'mcp-server-tool', id: workflowId };
      const detail = { name, isEnabled: settings.is_enabled };
      await recordAuditEvent(sql, viewer, { action: 'mcp-server-tool.update', object, projectId, detail });
      return readTool(sql, workflowId);
    });
  }

  /** Removes the tool of a workflow and returns its last state. The workflow and its runs stay. */
  async delete(viewer: Viewer, workflowId: number): Promise<McpServerTool> {
    const { projectId } = await locateWorkflow(this.database, viewer, workflowId, 'mcp-server-tool.delete');
    return this.database.transaction(async sql => {
      await lockProject(sql, projectId);
      const tool = await readTool(sql, workflowId);
      await queryBuilder<McpServerTables>(sql)
        .deleteFrom('mcp_server_tool')
        .where('workflow_id', '=', workflowId)
        .execute();
      const object = { type: 'mcp-server-tool', id: workflowId };
      await recordAuditEvent(sql, viewer, {
        ...{ action: 'mcp-server-tool.delete', object, projectId },
        detail: { name: tool.name },
      });
      return tool;
    });
  }
}

function selectTools(sql: Sql) {
  return (
    queryBuilder<McpServerTables>(sql)
      .selectFrom('mcp_server_tool as t')
      .innerJoin('workflow as w', 'w.id', 't.workflow_id')
      .select(['t.workflow_id as workflowId', 't.project_id as projectId', 't.name', 't.description'])
      .select(['t.is_enabled as isEnabled', 't.created_at as createdAt', 't.updated_at as updatedAt'])
      .innerJoin('project as p', 'p.id', 'w.project_id')
      .select('w.title')
      // A workflow that was never published shows its draft; a call is refused.
      .select(({ fn }) => fn.coalesce(RUNNABLE_REVISION, 'w.revision_id').as('revisionId'))
      .where('w.archived_at', 'is', null)
      .$castTo<McpServerTool>()
  );
}

async function readTool(sql: Sql, workflowId: number): Promise<McpServerTool> {
  const tool = await selectTools(sql).where('t.workflow_id', '=', workflowId).executeTakeFirst();
  if (!tool) throw new NotFoundError();
  return tool;
}

/** Archived workflows keep no tool names and do not count towards the limit. */
async function deleteToolsOfArchivedWorkflows(sql: Sql, projectId: number): Promise<void> {
  await queryBuilder<McpServerTables>(sql)
    .deleteFrom('mcp_server_tool')
    .where('project_id', '=', projectId)
    .where('workflow_id', 'in', query =>
      query
        .selectFrom('workflow')
        .select('id')
        .where('project_id', '=', projectId)
        .where('archived_at', 'is not', null),
    )
    .execute();
}

/** Asserts that the name is free and the limit is not reached. */
async function assertAvailable(
  sql: Sql,
  { projectId, workflowId, name }: { projectId: number; workflowId: number; name: string },
): Promise<void> {
  const others = await queryBuilder<McpServerTables>(sql)
    .selectFrom('mcp_server_tool')
    .select('name')
    .where('project_id', '=', projectId)
    .where('workflow_id', '<>', workflowId)
    .execute();
  if (others.some(other => other.name === name))
    throw new ConflictError(`Another workflow of the project is already the tool "${name}": choose another name.`);
  if (others.length >= MAX_SERVER_TOOLS)
    throw new ConflictError(`A project has at most ${MAX_SERVER_TOOLS} tools: remove one first.`);
}

function assertValid({ name, description }: McpServerToolInput): void {
  const faults = new Faults();
  if (!NAME.test(name)) faults.add('name', 'Use 1-64 letters, digits, "_" and "-".');
  faults.text('description', description, { max: MAX_DESCRIPTION });
  faults.throwIfAny();
}
