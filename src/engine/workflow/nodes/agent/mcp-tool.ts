import { isObject, isShallow, type JsonObject } from '../../../json-value.js';
import { type McpTool, PortError } from '../../../ports.js';
import { contentOf, errorOf, mcpServerOf } from '../mcp.js';
import type { ToolSettings } from './settings.js';
import { type AgentTool, answered, type ToolContext, toolFailure } from './tool.js';

/** Tools that a model is offered, and characters of all their definitions. */
export const MAX_TOOLS = 128;
const MAX_DEFINITIONS = 512 * 1024;

type McpSettings = Extract<ToolSettings, { kind: 'mcp' }>;

interface ListedTool {
  name: string;
  description: string;
  parameters: JsonObject;
  hash: string;
}

/**
 * The name by which the pins of an agent know a tool: the server's position among the agent's tools, which never changes
 * within a revision and, unlike an address, holds no secret.
 */
export function pinnedName(position: number, tool: string): string {
  return `tools.${position}#${tool}`;
}

/** The tools of one server, listed once: the model goes on with what it was offered when the run is resumed. */
export async function mcpTools(settings: McpSettings, position: number, around: ToolContext): Promise<AgentTool[]> {
  const { ports, steps, pins } = around;
  const server = mcpServerOf(settings);
  const content = await steps.call({ name: `tools ${position + 1}` }, async call => {
    const tools = chooseTools(await ports.mcp.listTools(server, call), settings.allowed_tools ?? null);
    const listed = tools.map(tool => ({ ...described(tool), hash: ports.mcp.schemaHash(tool) }));
    for (const { name, hash } of listed) {
      const pinned = pins.hashOf(pinnedName(position, name));
      if (pinned !== undefined && pinned !== hash) throw changed();
    }
    return { content: definitions(listed) };
  });
  return (JSON.parse(content) as ListedTool[]).map(({ hash: schemaHash, ...tool }) => ({
    ...tool,
    call: (step, args) =>
      steps.call(step, call =>
        answered(call, async () => {
          const result = await ports.mcp.callTool(server, { name: tool.name, schemaHash }, args, call);
          const pin = pinnedName(position, tool.name);
          if (pins.hashOf(pin) === undefined) await pins.keep(pin, result.schemaHash);
          return result.isError ? toolFailure(errorOf(result)) : contentOf(result);
        }),
      ),
  }));
}

function chooseTools(tools: readonly McpTool[], allowed: readonly string[] | null): McpTool[] {
  const known = new Map(tools.map(tool => [tool.name, tool]));
  const names = allowed === null ? [...known.keys()] : [...new Set(allowed)];
  if (names.length > MAX_TOOLS) throw tooMany();
  return names.map(name => {
    const tool = known.get(name);
    if (!tool) throw new PortError('mcp_unknown_tool', 'allowed_tools names a tool that the MCP server does not list');
    return tool;
  });
}

function described({ name, description, inputSchema }: McpTool): Omit<ListedTool, 'hash'> {
  const isUsable = isObject(inputSchema) && isShallow(inputSchema);
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: isUsable ? { ...inputSchema, type: 'object' } : { type: 'object' },
  };
}

function definitions(tools: readonly ListedTool[]): string {
  const text = JSON.stringify(tools);
  if (text.length <= MAX_DEFINITIONS) return text;
  const message = `the tools of the MCP server are described in more than ${MAX_DEFINITIONS} characters; allowed_tools chooses among them`;
  throw new PortError('too_many_tools', message);
}

export function tooMany(): PortError {
  const message = `a model is offered at most ${MAX_TOOLS} tools; allowed_tools chooses among those of an MCP server`;
  return new PortError('too_many_tools', message);
}

function changed(): PortError {
  const message = 'a tool is not what it was when the workflow was saved; save it again to accept the change';
  return new PortError('mcp_tool_changed', message);
}
