import { z } from 'zod';
import { isObject } from '../../json-value.js';
import { type McpServer, type McpToolResult, type McpTransport, PortError } from '../../ports.js';
import { nodeKind, oneOutput } from '../graph/node-kind.js';
import type { SettingMode } from '../graph/settings.js';
import { headersOf, isHttpUrl } from './http.js';

const TRANSPORTS = ['auto', 'sse', 'streamable_http'] as const;
const DEFAULT_TIMEOUT_SECONDS = 10;

/** How a server is named and reached: the same members for every kind of node that speaks to one. */
export const mcpServerSettings = (setting: SettingMode) => ({
  endpoint_url: setting
    .text(z.string().refine(text => text.includes('{{') || isHttpUrl(text), 'must be an http or https address'))
    .describe('Address of the MCP server, http or https.'),
  transport: setting
    .value(z.enum(TRANSPORTS))
    .nullish()
    .describe('How the server is spoken to: `auto` (default) tries streamable HTTP and then SSE.'),
  headers: setting
    .value(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()))
    .nullish()
    .describe('Headers sent with every request to the server; one that is null is left out. Default none.'),
  timeout: setting
    .value(z.number().min(0.1).max(30))
    .nullish()
    .describe('Seconds from the first connection to the last answer, 0.1-30. Default 10.'),
});

interface ServerSettings {
  endpoint_url: string;
  transport?: McpTransport | null;
  headers?: Record<string, string | number | boolean | null> | null;
  timeout?: number | null;
}

/** Of resolved settings; a value that only turned out wrong now is the node's error. */
export function mcpServerOf({ endpoint_url, transport, headers, timeout }: ServerSettings): McpServer {
  if (!isHttpUrl(endpoint_url)) throw new PortError('invalid_url', 'endpoint_url must be an http or https address');
  return {
    endpointUrl: endpoint_url,
    transport: transport ?? 'auto',
    headers: headersOf(headers ?? {}),
    timeoutMs: 1000 * (timeout ?? DEFAULT_TIMEOUT_SECONDS),
  };
}

export const mcp = nodeKind({
  type: 'mcp-node',
  nodeType: 'MCPNode',
  title: 'MCP tool',
  description:
    'Calls a tool of an MCP server. Its content is the text parts of the result, joined by line breaks; of a result without any, the result as JSON.',
  category: 'integration',
  effects: 'outside',
  pinsTools: true,
  outputs: oneOutput,
  defaults: {
    endpoint_url: '',
    transport: 'auto',
    headers: {},
    timeout: DEFAULT_TIMEOUT_SECONDS,
    tool: '',
    arguments: {},
  },
  settings: setting =>
    z.looseObject({
      ...mcpServerSettings(setting),
      tool: setting
        .text(
          z
            .string()
            .max(256)
            .refine(text => text !== '', 'must not be empty'),
        )
        .describe('Name of the tool, as the server lists it.'),
      arguments: setting
        .value(z.record(z.string(), z.unknown()))
        .nullish()
        .describe('Arguments of the tool, an object; its texts may hold placeholders. Default none.'),
    }),
  references: ({ endpoint_url, tool }) => [
    { kind: 'host', path: 'endpoint_url', value: endpoint_url },
    { kind: 'tool', path: 'tool', value: tool },
  ],
  execute: async ({ settings, ports, call, pins }) => {
    const schemaHash = pins.hashOf(settings.tool);
    const result = await ports.mcp.callTool(
      mcpServerOf(settings),
      { name: settings.tool, ...(schemaHash === undefined ? {} : { schemaHash }) },
      settings.arguments ?? {},
      call,
    );
    if (schemaHash === undefined) await pins.keep(settings.tool, result.schemaHash);
    if (result.isError) throw new PortError('mcp_tool_error', errorOf(result));
    return { content: contentOf(result) };
  },
});

export function contentOf({ content, structuredContent }: McpToolResult): string {
  const texts = content.map(textPart).filter(text => text !== undefined);
  if (texts.length > 0) return texts.join('\n');
  return JSON.stringify(structuredContent === undefined ? { content } : { content, structuredContent });
}

export function errorOf({ content }: McpToolResult): string {
  const text = content
    .map(textPart)
    .filter(part => part !== undefined)
    .join(' ')
    .trim();
  return text === '' ? 'the tool failed without saying why' : `the tool failed: ${text}`;
}

function textPart(part: unknown): string | undefined {
  return isObject(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : undefined;
}
