import { z } from 'zod';
import { isObject } from '../../json-value.js';
import { type McpServer, type McpToolResult, type McpTransport, PortError } from '../../ports.js';
import { nodeKind, oneOutput } from '../graph/node-kind.js';
import type { SettingMode } from '../graph/settings.js';
import { headersOf, isHttpUrl } from './http.js';

const TRANSPORTS = ['auto', 'sse', 'streamable_http'] as const;
const DEFAULT_TIMEOUT_SECONDS = 10;

/** Settings of an MCP server, shared by all node kinds that use one. */
export const mcpServerSettings = (setting: SettingMode) => ({
  endpoint_url: setting
    .text(z.string().refine(text => text.includes('{{') || isHttpUrl(text), 'must be an http or https address'))
    .describe('URL of the MCP server, http or https.'),
  transport: setting
    .value(z.enum(TRANSPORTS))
    .nullish()
    .describe('Transport protocol: `auto` (default) tries streamable HTTP, then SSE.'),
  headers: setting
    .value(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()))
    .nullish()
    .describe('Headers of every request to the server; null omits a header. Default: none.'),
  timeout: setting
    .value(z.number().min(0.1).max(30))
    .nullish()
    .describe('Time limit in seconds, from the first connection to the last response, 0.1-30. Default 10.'),
});

interface ServerSettings {
  endpoint_url: string;
  transport?: McpTransport | null;
  headers?: Record<string, string | number | boolean | null> | null;
  timeout?: number | null;
}

/** Builds the server from resolved settings. Throws a PortError for values that are invalid after resolution. */
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
    'Calls a tool of an MCP server. The content is the text parts of the result, joined by line breaks. A result without text parts is returned as JSON.',
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
        .describe('Arguments of the tool, an object whose texts may contain placeholders. Default: none.'),
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

/** Returns the text parts of a tool result, or the result as JSON if it has none. */
export function contentOf({ content, structuredContent }: McpToolResult): string {
  const texts = content.map(textPart).filter(text => text !== undefined);
  if (texts.length > 0) return texts.join('\n');
  return JSON.stringify(structuredContent === undefined ? { content } : { content, structuredContent });
}

/** Returns the error message of a failed tool result. */
export function errorOf({ content }: McpToolResult): string {
  const text = content
    .map(textPart)
    .filter(part => part !== undefined)
    .join(' ')
    .trim();
  return text === '' ? 'the tool failed without an error message' : `the tool failed: ${text}`;
}

function textPart(part: unknown): string | undefined {
  return isObject(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : undefined;
}
