import { z } from 'zod';
import { type EnvironmentVariable, environmentValues } from '../../../engine/environment.js';
import { TemplateError } from '../../../engine/expressions/expression.js';
import type { Scope } from '../../../engine/expressions/scope.js';
import { renderValue } from '../../../engine/expressions/template.js';
import { isObject, type JsonObject } from '../../../engine/json-value.js';
import { type McpServer, PortError } from '../../../engine/ports.js';
import { GraphError } from '../../../engine/workflow/graph/graph.js';
import { variableNamesOf } from '../../../engine/workflow/graph/node-checks.js';
import { HostGuard, hostRulesOf, hostRulesOfVariables } from '../../../engine/workflow/graph/secrets/secret-hosts.js';
import { asResolved, validateValue } from '../../../engine/workflow/graph/settings.js';
import { pinnedName } from '../../../engine/workflow/nodes/ai/agent/mcp-tool.js';
import { mcpServerOf, mcpServerSettings } from '../../../engine/workflow/nodes/data/mcp.js';
import { nodeKindOf } from '../../../engine/workflow/nodes/index.js';
import type { VariableReader } from '../../project-variables/variable-reader.js';
import type { Revision } from '../revision-store.js';

const schema = z.looseObject(mcpServerSettings(asResolved));
type Settings = z.output<typeof schema>;

/** A revision with the current values of the project variables that its graph uses. */
export interface OpenedRevision extends Revision {
  variables: readonly EnvironmentVariable[];
}

/** Reads the project variables of a revision. */
export async function openRevision(
  revision: Revision,
  environment: Pick<VariableReader, 'open'>,
): Promise<OpenedRevision> {
  const names = revision.graph instanceof GraphError ? [] : variableNamesOf(revision.graph);
  return { ...revision, variables: await environment.open(revision.projectId, names) };
}

/** An MCP server of a node, as configured with the stored defaults. */
export interface StoredServer {
  nodeId: string;
  server: McpServer;
  /** The name under which the tool is pinned for this node; undefined when the node does not call the tool. */
  pinNameOf(tool: string): string | undefined;
}

/** All MCP servers of a workflow whose configuration is complete with stored defaults. Others depend on the input of a run. */
export function findStoredMcpServers(revision: OpenedRevision): StoredServer[] {
  const scope = defaultsOf(revision);
  return [...nodesOf(revision.data)].flatMap(node =>
    configurationsOf(node).flatMap(configuration => {
      const { settings } = resolveStoredSettings(configuration.written, scope);
      const server = settings && serverOf(settings, revision);
      if (!server || typeof node.id !== 'string') return [];
      return [{ nodeId: node.id, server, pinNameOf: pinNamesOf(configuration, scope) }];
    }),
  );
}

/** The node with this id, including nodes in the body of a loop. */
export function nodeOf(data: unknown, id: string): JsonObject | undefined {
  for (const node of nodesOf(data)) if (node.id === id) return node;
  return undefined;
}

function* nodesOf(data: unknown): Generator<JsonObject> {
  if (!isObject(data) || !Array.isArray(data.nodes)) return;
  for (const node of data.nodes.filter(isObject)) {
    yield node;
    const member = typeof node.type === 'string' ? nodeKindOf(node.type)?.bodyMember : undefined;
    if (member !== undefined && isObject(node.data)) yield* nodesOf(node.data[member]);
  }
}

/** A server as the settings of a node describe it. */
interface Configuration {
  /** The settings with their placeholders. */
  written: JsonObject;
  /** Index in the tools of an agent node; null for an MCP node. */
  position: number | null;
}

/** The server configurations of a node: one of an MCP node, any number of an agent node. */
export function configurationsOf(node: JsonObject | undefined): Configuration[] {
  if (!node || !isObject(node.data)) return [];
  if (node.type === 'mcp-node') return [{ written: node.data, position: null }];
  if (node.type !== 'agent-node' || !Array.isArray(node.data.tools)) return [];
  return node.data.tools.flatMap((tool: unknown, position) =>
    isObject(tool) && tool.kind === 'mcp' ? [{ written: tool, position }] : [],
  );
}

/** A template scope with the stored defaults of the input fields and the project variables, including secrets. */
export function defaultsOf({ fields, secrets, variables }: OpenedRevision): Scope {
  const values = environmentValues(variables);
  const defaults = fields.map((field): [string, unknown] => [
    field.id,
    field.is_secret ? (Object.hasOwn(secrets, field.id) ? secrets[field.id] : '') : field.default_value,
  ]);
  return {
    input: Object.fromEntries(defaults.filter(([, value]) => value !== '')),
    declared: new Set(),
    node: () => undefined,
    previous: () => undefined,
    env: name => values.get(name),
    runId: '',
    now: new Date().toISOString(),
  };
}

type StoredSettings = { settings: Settings; refusal?: undefined } | { settings?: undefined; refusal: string };

/** A configuration with stored defaults in place of its placeholders, or the reason why that is impossible. */
export function resolveStoredSettings(written: JsonObject, scope: Scope): StoredSettings {
  const { endpoint_url, connection_id, transport, headers, timeout, auth, elicitation } = written;
  const members = { endpoint_url, connection_id, transport, headers, timeout, auth, elicitation };
  const values = renderOrUndefined(members, scope);
  if (values === undefined) {
    return {
      refusal:
        'The configuration of the node uses a placeholder without a stored default. Set a default_value for the input field.',
    };
  }
  const result = validateValue(schema, values);
  return result.ok
    ? { settings: result.value }
    : { refusal: 'The stored configuration of the node is invalid. Check the workflow.' };
}

/** Replaces placeholders by the values of the scope. Undefined: a placeholder has none. */
export function renderOrUndefined(written: unknown, scope: Scope): unknown {
  try {
    return renderValue(written, scope);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** Builds the server. @throws PortError when a stored secret must not be sent to its host, or the settings are invalid. */
export function buildCheckedServer(settings: Settings, revision: OpenedRevision): McpServer {
  const server = mcpServerOf(settings);
  const { data, secrets, variables } = revision;
  const guard = new HostGuard([...hostRulesOf(data, {}, secrets), ...hostRulesOfVariables(variables)]);
  return guard.guardServer(server);
}

function serverOf(settings: Settings, revision: OpenedRevision): McpServer | undefined {
  try {
    return buildCheckedServer(settings, revision);
  } catch (error) {
    if (error instanceof PortError) return undefined;
    throw error;
  }
}

/** Returns the function `pinNameOf` of a configuration. */
function pinNamesOf({ written, position }: Configuration, scope: Scope): StoredServer['pinNameOf'] {
  if (position === null) {
    const toolName = renderOrUndefined(written.tool, scope);
    return tool => (tool === toolName ? tool : undefined);
  }
  const allowed = renderOrUndefined(written.allowed_tools, scope);
  const names = Array.isArray(allowed) ? new Set(allowed) : undefined;
  return tool => (names === undefined || names.has(tool) ? pinnedName(position, tool) : undefined);
}
