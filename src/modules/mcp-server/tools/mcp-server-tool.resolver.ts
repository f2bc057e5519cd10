import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { toolInputSchema } from '../../../engine/workflow/graph/tool-input-schema.js';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { JSONValue } from '../../../platform/json/scalars.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { McpServerToolService } from './mcp-server-tool.service.js';
import { McpServerTool, McpServerToolInput, McpServerToolPage } from './mcp-server-tool.type.js';

const WORKFLOW_ID = { description: 'Id of the workflow.' };

@Resolver(() => McpServerTool)
export class McpServerToolResolver {
  constructor(
    private readonly tools: McpServerToolService,
    private readonly revisions: RevisionStore,
  ) {}

  @Query(() => McpServerToolPage, {
    name: 'mcpServerTools',
    description:
      'Workflows of a project that MCP clients can call as tools, by name, with disabled ones; at most 200. Requires the role viewer.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.tools.list(viewer, projectId, page);
  }

  @Query(() => McpServerTool, {
    name: 'mcpServerTool',
    description:
      'The settings of a workflow as a tool for MCP clients. NOT_FOUND when it is not a tool or not visible to the caller. Requires the role viewer.',
  })
  get(@Ctx() { viewer }: RequestContext, @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number) {
    return this.tools.get(viewer, workflowId);
  }

  @PayloadMutation({
    returns: { mcpServerTool: () => McpServerTool },
    name: 'mcpServerToolSave',
    description:
      'Makes a workflow a tool for MCP clients, or replaces all settings of its tool. CONFLICT when another tool of the project has the name or the project has 200 tools. Requires the role editor.',
  })
  save(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number,
    @Arg('input', () => McpServerToolInput, { description: 'The settings.' }) input: McpServerToolInput,
  ) {
    return this.tools.save(viewer, workflowId, input);
  }

  @PayloadMutation({
    returns: { mcpServerTool: () => McpServerTool },
    name: 'mcpServerToolDelete',
    description:
      'Removes a workflow from the tools for MCP clients and returns the last settings. The workflow and its runs stay. Requires the role editor.',
  })
  delete(@Ctx() { viewer }: RequestContext, @Arg('workflowId', () => Int, WORKFLOW_ID) workflowId: number) {
    return this.tools.delete(viewer, workflowId);
  }

  @FieldResolver(() => JSONValue, {
    description: 'JSON Schema of the arguments, derived from the input fields of the workflow.',
  })
  async inputSchema(@Ctx() context: RequestContext, @Root() { revisionId }: McpServerTool) {
    return toolInputSchema((await this.revisions.load(context, revisionId)).fields);
  }
}
