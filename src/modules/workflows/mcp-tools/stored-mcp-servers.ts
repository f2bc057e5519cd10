import { z } from 'zod';
import { isObject, type JsonObject } from '../../../engine/json-value.js';
import { type McpServer, PortError } from '../../../engine/ports.js';
import { renderValue, type Scope, TemplateError } from '../../../engine/template.js';
import { HostGuard, hostRulesOf } from '../../../engine/workflow/graph/secret-hosts.js';
import { asResolved, check } from '../../../engine/workflow/graph/settings.js';
import { pinnedName } from '../../../engine/workflow/nodes/agent/mcp-tool.js';
import { mcpServerOf, mcpServerSettings } from '../../../engine/workflow/nodes/mcp.js';
import type { Revision } from '../revision-store.js';

const schema = z.looseObject(mcpServerSettings(asResolved));
type Settings = z.output<typeof schema>;

/** A server that a node speaks to, as far as its stored configuration tells. */
export interface StoredServer {
  nodeId: string;
  server: McpServer;
  /** The name by which the node asks for the pin of a tool; undefined: it does not call the tool. */
  pinned(tool: string): string | undefined;
}

/** Every server of a workflow that its stored defaults lead to; what only a run knows is left out. */
export function storedMcpServers(revision: Revision): StoredServer[] {
  const scope = defaultsOf(revision);
  return [...nodesOf(revision.data)].flatMap(node =>
    configurationsOf(node).flatMap(configuration => {
      const { settings } = storedSettings(configuration.written, scope);
      const server = settings && serverOf(settings, revision);
      if (!server || typeof node.id !== 'string') return [];
      return [{ nodeId: node.id, server, pinned: pinsOf(configuration, scope) }];
    }),
  );
}

/** By id, at any depth: a loop holds nodes of its own. */
export function nodeOf(data: unknown, id: string): JsonObject | undefined {
  for (const node of nodesOf(data)) if (node.id === id) return node;
  return undefined;
}

function* nodesOf(data: unknown): Generator<JsonObject> {
  if (!isObject(data) || !Array.isArray(data.nodes)) return;
  for (const node of data.nodes.filter(isObject)) {
    yield node;
    if (isObject(node.data)) yield* nodesOf(node.data.body);
  }
}

interface Configuration {
  written: JsonObject;
  /** Among an agent's tools; null: an MCP node's own. */
  position: number | null;
}

/** What a node says about servers: an MCP node about one, an agent node in its tools about any number. */
export function configurationsOf(node: JsonObject | undefined): Configuration[] {
  if (!node || !isObject(node.data)) return [];
  if (node.type === 'mcp-node') return [{ written: node.data, position: null }];
  if (node.type !== 'agent-node' || !Array.isArray(node.data.tools)) return [];
  return node.data.tools.flatMap((tool: unknown, position) =>
    isObject(tool) && tool.kind === 'mcp' ? [{ written: tool, position }] : [],
  );
}

/** The stored defaults of the input, secret ones included. */
export function defaultsOf({ fields, secrets }: Revision): Scope {
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

type StoredSettings = { settings: Settings; refusal?: undefined } | { settings?: undefined; refusal: string };

/** A configuration with the defaults in place of its placeholders, or why there is none. */
export function storedSettings(written: JsonObject, scope: Scope): StoredSettings {
  const { endpoint_url, transport, headers, timeout } = written;
  const values = renderedOr(undefined, { endpoint_url, transport, headers, timeout }, scope);
  if (values === undefined) {
    return {
      refusal: 'The configuration of the node refers to a value that only a run knows, or that has no stored default.',
    };
  }
  const result = check(schema, values);
  return result.ok ? { settings: result.value } : { refusal: 'The stored configuration of the node is not valid.' };
}

export function renderedOr(otherwise: unknown, written: unknown, scope: Scope): unknown {
  try {
    return renderValue(written, scope);
  } catch (error) {
    if (error instanceof TemplateError) return otherwise;
    throw error;
  }
}

/** Refuses a server to which a stored secret must not be sent. */
export function checkedServer(settings: Settings, revision: Revision): McpServer {
  const server = mcpServerOf(settings);
  const guard = new HostGuard(hostRulesOf(revision.data, {}, revision.secrets));
  guard.check(server.endpointUrl, server.headers);
  return server;
}

function serverOf(settings: Settings, revision: Revision): McpServer | undefined {
  try {
    return checkedServer(settings, revision);
  } catch (error) {
    if (error instanceof PortError) return undefined;
    throw error;
  }
}

function pinsOf({ written, position }: Configuration, scope: Scope): StoredServer['pinned'] {
  if (position === null) {
    const called = renderedOr(undefined, written.tool, scope);
    return tool => (tool === called ? tool : undefined);
  }
  const allowed = renderedOr(undefined, written.allowed_tools, scope);
  const names = Array.isArray(allowed) ? new Set(allowed) : undefined;
  return tool => (names === undefined || names.has(tool) ? pinnedName(position, tool) : undefined);
}
