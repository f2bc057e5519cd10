import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.js';
import { isObject, type JsonObject } from '../../engine/json-value.js';
import { type McpServer, PortError } from '../../engine/ports.js';
import { MASK } from '../../engine/secrets.js';
import { renderValue, type Scope, TemplateError } from '../../engine/template.js';
import { mcpServerOf, mcpServerSettings } from '../../engine/workflow/nodes/mcp.js';
import { asResolved, check } from '../../engine/workflow/settings.js';
import type { McpToolsArgs } from './mcp-tools.inputs.js';
import type { Revision } from './revision-store.js';

const schema = z.looseObject(mcpServerSettings(asResolved));
type Settings = z.output<typeof schema>;
type Headers = Record<string, string | number | boolean | null>;

/**
 * The server of a stored node, its placeholders filled with the stored defaults, secret ones included. They go to the
 * address that is stored and nowhere else: whoever may look at a workflow could otherwise have its secrets sent to them.
 */
export function storedMcpServer(revision: Revision, args: McpToolsArgs, given: Headers): McpServer {
  const written = configurationsOf(nodeOf(revision.data, args.nodeId ?? ''));
  if (written.length === 0)
    throw refusal('nodeId', 'The workflow has no MCP or agent node with an MCP server of this id.');
  const scope = defaultsOf(revision);
  const chosen =
    written.find(({ endpoint_url }) => endpoint_url === args.endpointUrl) ??
    written.find(({ endpoint_url }) => sameAddress(resolvedAddress(endpoint_url, scope), args.endpointUrl));
  if (!chosen) {
    throw refusal(
      'endpointUrl',
      'Stored values go to the stored address alone; save the node, or leave workflow_id and node_id out.',
    );
  }
  const stored = resolved(chosen, scope);
  const headers = merged(stored, chosen, given);
  const transport = args.transport ?? stored.transport;
  const timeout = args.timeout ?? stored.timeout;
  try {
    return mcpServerOf({ ...stored, headers, transport, timeout });
  } catch (error) {
    if (error instanceof PortError) throw refusal('nodeId', 'The stored configuration of the node is not valid.');
    throw error;
  }
}

/** By id, at any depth: a loop holds nodes of its own. */
function nodeOf(data: unknown, id: string): JsonObject | undefined {
  if (!isObject(data) || !Array.isArray(data.nodes)) return undefined;
  for (const node of data.nodes.filter(isObject)) {
    if (node.id === id) return node;
    const inner = isObject(node.data) ? nodeOf(node.data.body, id) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/** What a node says about servers: an MCP node about one, an agent node in its tools about any number. */
function configurationsOf(node: JsonObject | undefined): JsonObject[] {
  if (!node || !isObject(node.data)) return [];
  if (node.type === 'mcp-node') return [node.data];
  if (node.type !== 'agent-node' || !Array.isArray(node.data.tools)) return [];
  return node.data.tools.filter(isObject).filter(tool => tool.kind === 'mcp');
}

function defaultsOf({ fields, secrets }: Revision): Scope {
  const known = fields.map((field): [string, unknown] => [
    field.id,
    field.is_secret ? (Object.hasOwn(secrets, field.id) ? secrets[field.id] : '') : field.default_value,
  ]);
  return {
    input: Object.fromEntries(known.filter(([, value]) => value !== '')),
    declared: new Set(),
    node: () => undefined,
    previous: () => undefined,
    runId: '',
    now: new Date().toISOString(),
  };
}

function resolvedAddress(written: unknown, scope: Scope): unknown {
  try {
    return renderValue(written, scope);
  } catch {
    return undefined;
  }
}

function sameAddress(stored: unknown, given: string): boolean {
  if (typeof stored !== 'string' || !URL.canParse(stored) || !URL.canParse(given)) return false;
  return new URL(stored).href === new URL(given).href;
}

function resolved({ endpoint_url, transport, headers, timeout }: JsonObject, scope: Scope): Settings {
  let values: unknown;
  try {
    values = renderValue({ endpoint_url, transport, headers, timeout }, scope);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw refusal(
      'nodeId',
      'The configuration of the node refers to a value that only a run knows, or that has no stored default.',
    );
  }
  const result = check(schema, values);
  if (result.ok) return result.value;
  throw refusal('nodeId', 'The stored configuration of the node is not valid.');
}

/** Stored headers, and over them the given ones but for those that only repeat what is stored. */
function merged(stored: Settings, written: JsonObject, given: Headers): Headers {
  const headers: Headers = { ...stored.headers };
  const shown = isObject(written.headers) ? written.headers : {};
  const byName = new Map(Object.keys(headers).map(name => [name.toLowerCase(), name]));
  for (const [name, value] of Object.entries(given)) {
    const known = byName.get(name.toLowerCase());
    if (known !== undefined && (value === MASK || value === shown[known])) continue;
    if (typeof value === 'string' && value.includes('{{')) {
      throw refusal('headers', 'Placeholders are filled in stored headers alone; save the node first.');
    }
    if (known !== undefined) delete headers[known];
    headers[name] = value;
  }
  return headers;
}

function refusal(field: string, message: string): InvalidInputError {
  return new InvalidInputError({ [field]: [message] });
}
