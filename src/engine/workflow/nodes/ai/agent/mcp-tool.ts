import { isObject, isShallow, type JsonObject } from '../../../../json-value.js';
import { type CallContext, type McpQuestion, type McpServer, type McpTool, PortError } from '../../../../ports.js';
import type { Step } from '../../../graph/node-kind.js';
import { answerSeconds, contentOfResult, errorOfResult, mcpServerOf } from '../../data/mcp.js';
import { callWithAnswers } from '../../data/mcp-answers.js';
import type { ToolSettings } from './settings.js';
import { type AgentTool, executeCall, type ToolContext, toolFailure } from './tool.js';

/** Maximum number of tools that a model receives. */
export const MAX_TOOLS = 128;
/** Maximum number of characters of all tool definitions of a server. */
const MAX_DEFINITION_CHARACTERS = 512 * 1024;

type McpSettings = Extract<ToolSettings, { kind: 'mcp' }>;

interface ListedTool {
  name: string;
  description: string;
  parameters: JsonObject;
  hash: string;
}

/**
 * Returns the name of a tool in the pins of an agent, which store the recorded hashes of its tools. It contains the position
 * of the server among the tools of the agent, which is fixed within a revision and, unlike an address, contains no secret.
 */
export function pinnedName(position: number, tool: string): string {
  return `tools.${position}#${tool}`;
}

/** Lists the tools of one server. The list is a recorded step, so a resumed run offers the model the same tools. */
export async function listMcpTools(
  settings: McpSettings,
  position: number,
  context: ToolContext,
): Promise<AgentTool[]> {
  const { ports, steps, pins, stepPrefix } = context;
  const server = mcpServerOf(settings);
  const content = await steps.call({ name: `${stepPrefix}tools ${position + 1}` }, async call => {
    const tools = chooseTools(await ports.mcp.listTools(server, call), settings.allowed_tools ?? null);
    const listed = tools.map(tool => ({ ...toListedTool(tool), hash: ports.mcp.schemaHash(tool) }));
    for (const { name, hash } of listed) {
      const pinned = pins.hashOf(pinnedName(position, name));
      if (pinned !== undefined && pinned !== hash) throw toolChanged();
    }
    return { content: toDefinitionText(listed) };
  });
  return (JSON.parse(content) as ListedTool[]).map(({ hash: schemaHash, ...tool }) => ({
    ...tool,
    call: (step, args) => callTool({ settings, position, tool: tool.name, schemaHash, step, args }, context),
  }));
}

interface McpToolCall {
  settings: McpSettings;
  position: number;
  tool: string;
  schemaHash: string;
  step: Step;
  args: JsonObject;
}

/** Thrown if the server asks a question. The call is repeated with the answer. */
class UnansweredQuestion extends Error {
  constructor(readonly question: McpQuestion) {
    super('The server asked a question.');
  }
}

function callTool({ settings, position, tool, schemaHash, step, args }: McpToolCall, context: ToolContext) {
  const { ports, steps, pins } = context;
  const work = (server: McpServer, call: CallContext) =>
    executeCall(call, async () => {
      const result = await ports.mcp.callTool(server, { name: tool, schemaHash }, args, call);
      const pin = pinnedName(position, tool);
      if (pins.hashOf(pin) === undefined) await pins.keep(pin, result.schemaHash);
      if (result.question) throw new UnansweredQuestion(result.question);
      return result.isError ? toolFailure(errorOfResult(result)) : contentOfResult(result);
    });
  const server = mcpServerOf(settings);
  if (server.elicitation !== 'ask') return steps.call(step, call => work(server, call));
  return callWithAnswers({ steps, step, server, timeoutSeconds: answerSeconds(settings) }, (answeringServer, call) =>
    work(answeringServer, call).catch((error: unknown) => {
      if (error instanceof UnansweredQuestion) return error.question;
      throw error;
    }),
  );
}

function chooseTools(tools: readonly McpTool[], allowed: readonly string[] | null): McpTool[] {
  const toolsByName = new Map(tools.map(tool => [tool.name, tool]));
  const names = allowed === null ? [...toolsByName.keys()] : [...new Set(allowed)];
  if (names.length > MAX_TOOLS) throw tooManyTools();
  return names.map(name => {
    const tool = toolsByName.get(name);
    if (!tool)
      throw new PortError('mcp_unknown_tool', 'allowed_tools contains a tool that the MCP server does not list');
    return tool;
  });
}

function toListedTool({ name, description, inputSchema }: McpTool): Omit<ListedTool, 'hash'> {
  const isUsable = isObject(inputSchema) && isShallow(inputSchema);
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: isUsable ? { ...inputSchema, type: 'object' } : { type: 'object' },
  };
}

function toDefinitionText(tools: readonly ListedTool[]): string {
  const text = JSON.stringify(tools);
  if (text.length <= MAX_DEFINITION_CHARACTERS) return text;
  const message = `the tool definitions of the MCP server have more than ${MAX_DEFINITION_CHARACTERS} characters; select fewer tools in allowed_tools`;
  throw new PortError('too_many_tools', message);
}

/** Creates the error for too many tools. */
export function tooManyTools(): PortError {
  const message = `a model can use at most ${MAX_TOOLS} tools; select fewer tools of the MCP servers in allowed_tools`;
  return new PortError('too_many_tools', message);
}

function toolChanged(): PortError {
  const message = 'a tool has changed since the workflow was saved; save the workflow again to accept the change';
  return new PortError('mcp_tool_changed', message);
}
