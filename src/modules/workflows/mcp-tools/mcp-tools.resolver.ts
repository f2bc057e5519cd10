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
      'Connects to an MCP server and returns its tools as the server describes them, at most 1000. They are JSON, because servers add members of their own. Each has an additional member `schema_hash`, which changes whenever the tool changes.',
  })
  list(@Ctx() { viewer }: RequestContext, @Args(() => McpToolsArgs) args: McpToolsArgs) {
    return this.tools.list(viewer, args);
  }
}
