import { z } from 'zod';
import { isObject, type JsonObject } from '../../../json-value.js';
import {
  type CallContext,
  type McpClientCredentials,
  type McpServer,
  type McpToolResult,
  type McpTransport,
  PortError,
} from '../../../ports.js';
import { DEFAULT_TIMEOUT_SECONDS as DEFAULT_NODE_SECONDS } from '../../graph/common-members.js';
import type { FieldForms } from '../../graph/node-form.js';
import { type NodeReference, nodeKind, oneOutput } from '../../graph/node-kind.js';
import type { SettingMode } from '../../graph/settings.js';
import { addressFaults, connectionField, connectionReferences, connectionSetting, NO_ADDRESS } from './connection.js';
import { headersOf, isHttpUrl } from './http.js';
import { callWithAnswers } from './mcp-answers.js';

const TRANSPORTS = ['auto', 'sse', 'streamable_http'] as const;
const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_CALL_SECONDS = 30;
const ELICITATION = ['decline', 'accept_defaults', 'ask'] as const;
const MAX_ANSWER_SECONDS = 30 * 86_400;
const MAX_TASK_SECONDS = 3_600;
const DEFAULT_ANSWER_SECONDS = 86_400;
const ALGORITHMS = ['ES256', 'RS256'] as const;

const clientCredentials = z
  .looseObject({
    type: z.literal('oauth_client_credentials').describe('OAuth client credentials grant.'),
    client_id: z.string().min(1).describe('Id of the client.'),
    client_secret: z
      .string()
      .min(1)
      .nullish()
      .describe('Secret of the client; use a placeholder for a secret input field.'),
    private_key: z
      .string()
      .min(1)
      .nullish()
      .describe(
        'Private key (PKCS #8, PEM) for signed assertions, instead of `client_secret`; use a placeholder as above.',
      ),
    algorithm: z.enum(ALGORITHMS).nullish().describe('Signature algorithm for `private_key`. Default ES256.'),
    scope: z.string().nullish().describe('Scopes separated by spaces. Default: those that the server names.'),
    issuer: z
      .string()
      .nullish()
      .describe(
        'URL of the authorization server. Required if its host differs from the host of the MCP server. Default: the one that the server names.',
      ),
  })
  .refine(({ client_secret, private_key }) => (client_secret == null) !== (private_key == null), {
    error: 'must have either client_secret or private_key',
  });

/** Settings of an MCP server, shared by all node kinds that use one. */
export const mcpServerSettings = (setting: SettingMode) => ({
  endpoint_url: setting
    .text(z.string().refine(text => text === '' || text.includes('{{') || isHttpUrl(text), NO_ADDRESS))
    .describe(
      'URL of the MCP server, http or https. Private addresses are refused unless `OUTBOUND_ALLOW` lists them. Empty: that of the connection.',
    ),
  connection_id: connectionSetting(setting, 'mcp'),
  transport: setting
    .value(z.enum(TRANSPORTS))
    .nullish()
    .describe('Transport protocol: `auto` (default) tries streamable HTTP, then SSE.'),
  headers: setting
    .value(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()))
    .nullish()
    .describe('Headers of every request to the server; null omits a header. Default: none.'),
  auth: setting
    .value(clientCredentials)
    .nullish()
    .describe('OAuth client whose access token is sent with every request to the server. Default: none.'),
  elicitation: z
    .enum(ELICITATION)
    .nullish()
    .describe(
      'Answer when the server asks the user for input: `decline` (default); `accept_defaults`: the default values of the requested schema, declined if a required value has none; `ask`: members of the project answer a request for approval, then the tool is called again with the answer. Use `ask` only for tools that ask before they act.',
    ),
  elicitation_timeout_seconds: setting
    .value(z.number().int().min(1).max(MAX_ANSWER_SECONDS))
    .nullish()
    .describe('With `ask`: seconds to wait for each answer, 1-2592000 (30 days). Default 86400 (1 day).'),
  timeout: setting
    .value(z.number().min(0.1).max(MAX_CALL_SECONDS))
    .nullish()
    .describe(
      'Time limit in seconds, from the first connection to the last response, 0.1-30. Default 10. With a task, from the first connection to its creation, and of each further response.',
    ),
  task_timeout_seconds: setting
    .value(z.number().min(1).max(MAX_TASK_SECONDS))
    .nullish()
    .describe(
      'Seconds to wait for a task, 1-3600. If it is set, tools that permit tasks are called as one. Otherwise only tools that require tasks are, within `timeout_seconds` of the node. Default: none.',
    ),
});

/** Form of the settings of an MCP server. */
export const mcpServerFields: FieldForms = {
  connection_id: connectionField,
  endpoint_url: { title: 'URL of the server', widget: 'url', group: 'request' },
  headers: { title: 'Headers', widget: 'key_value', group: 'request', isSecret: true },
  auth: { title: 'OAuth client', widget: 'json', group: 'request', isSecret: true },
  elicitation: { title: 'Answer to questions of the server', widget: 'select', group: 'advanced' },
  elicitation_timeout_seconds: {
    title: 'Seconds to wait for an answer',
    widget: 'number',
    group: 'advanced',
    showIf: { path: 'elicitation', equals: ['ask'] },
  },
  transport: { title: 'Transport', widget: 'select', group: 'advanced' },
  timeout: { title: 'Time limit of the server in seconds', widget: 'number', group: 'advanced' },
  task_timeout_seconds: { title: 'Time limit of tasks in seconds', widget: 'number', group: 'advanced' },
};

interface ServerSettings {
  endpoint_url: string;
  connection_id?: number | null;
  transport?: McpTransport | null;
  headers?: Record<string, string | number | boolean | null> | null;
  timeout?: number | null;
  task_timeout_seconds?: number | null;
  auth?: z.output<typeof clientCredentials> | null;
  elicitation?: (typeof ELICITATION)[number] | null;
  elicitation_timeout_seconds?: number | null;
}

/** Returns the references to the hosts of an MCP server and of its authorization server. */
export function mcpServerHosts({ endpoint_url, auth }: JsonObject, prefix = ''): NodeReference[] {
  const server: NodeReference = { kind: 'host', path: `${prefix}endpoint_url`, value: endpoint_url };
  // A placeholder for the whole object contains the address.
  const [path, issuer] = isObject(auth) ? ['auth.issuer', auth.issuer] : ['auth', auth];
  const isSet = issuer !== undefined && issuer !== null && issuer !== '';
  return isSet ? [server, { kind: 'host', path: `${prefix}${path}`, value: issuer }] : [server];
}

/** Builds the server from resolved settings. Throws a PortError for values that are invalid after resolution. */
export function mcpServerOf(settings: ServerSettings): McpServer {
  const { endpoint_url, connection_id, transport, headers, timeout, auth, elicitation } = settings;
  const { task_timeout_seconds: taskSeconds } = settings;
  const isOfConnection = endpoint_url === '' && connection_id;
  if (!isOfConnection && !isHttpUrl(endpoint_url))
    throw new PortError('invalid_url', `endpoint_url ${NO_ADDRESS}`, { isFinal: true });
  return {
    endpointUrl: endpoint_url,
    ...(connection_id ? { connectionId: connection_id } : {}),
    transport: transport ?? 'auto',
    headers: headersOf(headers ?? {}),
    timeoutMs: 1000 * (timeout ?? DEFAULT_TIMEOUT_SECONDS),
    ...(taskSeconds ? { taskTimeoutMs: 1000 * taskSeconds } : {}),
    ...(auth ? { auth: credentialsOf(auth) } : {}),
    ...(elicitation && elicitation !== 'decline' ? { elicitation } : {}),
  };
}

function credentialsOf(auth: z.output<typeof clientCredentials>): McpClientCredentials {
  const { client_id, client_secret, private_key, algorithm, scope, issuer } = auth;
  if (issuer && !isHttpUrl(issuer))
    throw new PortError('invalid_url', 'auth.issuer must be an http or https address', { isFinal: true });
  return {
    clientId: client_id,
    clientSecret: client_secret ?? undefined,
    privateKey: private_key ?? undefined,
    algorithm: algorithm ?? undefined,
    scope: scope || undefined,
    issuer: issuer || undefined,
  };
}

export const mcp = nodeKind({
  type: 'mcp-node',
  nodeType: 'MCPNode',
  title: 'MCP tool',
  description:
    'Calls a tool of an MCP server. The content is the text parts of the result, joined by line breaks. A result without text parts is returned as JSON.',
  category: 'integration',
  effects: 'external',
  pinsTools: true,
  hasSteps: ({ elicitation }) => elicitation === 'ask',
  defaultTimeout: defaultSeconds,
  outputs: oneOutput,
  defaults: {
    endpoint_url: '',
    transport: 'auto',
    headers: {},
    timeout: DEFAULT_TIMEOUT_SECONDS,
    tool: '',
    arguments: {},
  },
  form: {
    icon: 'plug',
    color: '#0891b2',
    fields: {
      ...mcpServerFields,
      tool: { title: 'Tool', widget: 'text', optionsFrom: 'mcp_tools', group: 'request' },
      arguments: { title: 'Arguments', widget: 'key_value', group: 'request' },
    },
    content: { sample: 'Sunny, 21 degrees' },
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
  references: data => [
    ...mcpServerHosts(data),
    { kind: 'tool', path: 'tool', value: data.tool },
    ...connectionReferences(data, 'mcp'),
  ],
  check: data => addressFaults(data, 'endpoint_url'),
  execute: async ({ settings, ports, call, pins, steps }) => {
    const { tool, arguments: args } = settings;
    const callTool = async (server: McpServer, { signal, place }: CallContext) => {
      const schemaHash = pins.hashOf(tool);
      const choice = { name: tool, ...(schemaHash === undefined ? {} : { schemaHash }) };
      const result = await ports.mcp.callTool(server, choice, args ?? {}, { signal, place });
      if (schemaHash === undefined) await pins.keep(tool, result.schemaHash);
      if (result.isError) throw new PortError('mcp_tool_error', errorOfResult(result));
      return result;
    };
    const server = mcpServerOf(settings);
    if (server.elicitation !== 'ask') return { content: contentOfResult(await callTool(server, call)) };
    const work = async (asking: McpServer, context: CallContext) => {
      const result = await callTool(asking, context);
      return result.question ?? { content: contentOfResult(result) };
    };
    const step = { name: 'call', tool, arguments: args ?? {} };
    return { content: await callWithAnswers({ steps, step, server, timeoutSeconds: answerSeconds(settings) }, work) };
  },
});

/** The default of `timeout_seconds` has room for the longest task. */
function defaultSeconds({ task_timeout_seconds: seconds }: JsonObject): number {
  const isSet = typeof seconds === 'number' && seconds >= 1 && seconds <= MAX_TASK_SECONDS;
  return isSet ? Math.max(DEFAULT_NODE_SECONDS, seconds + MAX_CALL_SECONDS) : DEFAULT_NODE_SECONDS;
}

/** Seconds to wait for the answer to a question of the server. */
export function answerSeconds({ elicitation_timeout_seconds: seconds }: ServerSettings): number {
  return seconds ?? DEFAULT_ANSWER_SECONDS;
}

/** Returns the text parts of a tool result, or the result as JSON if it has none. */
export function contentOfResult({ content, structuredContent }: McpToolResult): string {
  const texts = content.map(textPart).filter(text => text !== undefined);
  if (texts.length > 0) return texts.join('\n');
  return JSON.stringify(structuredContent === undefined ? { content } : { content, structuredContent });
}

/** Returns the error message of a failed tool result. */
export function errorOfResult({ content }: McpToolResult): string {
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
