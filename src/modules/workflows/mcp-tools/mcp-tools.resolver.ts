import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { JSONValue } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { McpToolsArgs } from './mcp-tools.inputs.js';
import type { McpToolsService } from './mcp-tools.service.js';

@Resolver()
export class McpToolsResolver {
  constructor(private readonly tools: McpToolsService) {}

  @Query(() => [JSONValue], {
    name: 'mcpTools',
    description:
      'Connects to an MCP server and lists its tools as the server gives them, each with a `schema_hash` that changes when the tool does. At most 1000 tools.',
  })
  list(@Ctx() { viewer }: RequestContext, @Args(() => McpToolsArgs) args: McpToolsArgs) {
    return this.tools.list(viewer, args);
  }
}
