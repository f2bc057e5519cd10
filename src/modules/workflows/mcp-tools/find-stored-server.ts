import { isObject, type JsonObject } from '../../../engine/json-value.js';
import { type McpServer, PortError } from '../../../engine/ports.js';
import { MASK } from '../../../engine/secrets.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import type { HttpHeaders } from '../../../platform/json/scalars.js';
import type { McpToolsArgs } from './mcp-tools.inputs.js';
import {
  buildCheckedServer,
  configurationsOf,
  defaultsOf,
  nodeOf,
  type OpenedRevision,
  renderOrUndefined,
  resolveStoredSettings,
} from './stored-mcp-servers.js';

/**
 * Returns the server of a stored node, with stored defaults, including secrets, in place of its placeholders. Only the stored URL is
 * accepted: otherwise every viewer of a workflow could have its secrets sent to a server of their own.
 * @throws InvalidInputError that names the invalid argument.
 */
export function findStoredServer(revision: OpenedRevision, args: McpToolsArgs, requestHeaders: HttpHeaders): McpServer {
  const written = configurationsOf(nodeOf(revision.data, args.nodeId ?? '')).map(({ written: each }) => each);
  if (written.length === 0)
    throw refusal(
      'nodeId',
      'The workflow has no node with this id that uses an MCP server (type mcp-node, or agent-node with an MCP tool).',
    );
  const scope = defaultsOf(revision);
  const configuration = findConfiguration(args.endpointUrl, written, scope);
  const { settings: stored, refusal: reason } = resolveStoredSettings(configuration, scope);
  if (!stored) throw refusal('nodeId', reason);
  const headers = mergeHeaders(stored.headers ?? {}, configuration, requestHeaders);
  const transport = args.transport ?? stored.transport;
  const timeout = args.timeout ?? stored.timeout;
  try {
    return buildCheckedServer({ ...stored, headers, transport, timeout }, revision);
  } catch (error) {
    if (error instanceof PortError && error.code === 'host_not_allowed') throw refusal('nodeId', `${error.message}.`);
    if (error instanceof PortError)
      throw refusal('nodeId', 'The stored configuration of the node is invalid. Check the workflow.');
    throw error;
  }
}

function findConfiguration(
  endpointUrl: string,
  written: readonly JsonObject[],
  scope: ReturnType<typeof defaultsOf>,
): JsonObject {
  const configuration =
    written.find(({ endpoint_url }) => endpoint_url === endpointUrl) ??
    written.find(({ endpoint_url }) => isSameUrl(renderOrUndefined(endpoint_url, scope), endpointUrl));
  if (configuration) return configuration;
  throw refusal(
    'endpointUrl',
    'This is not the stored URL of the node. Save the node first, or omit workflow_id and node_id.',
  );
}

function isSameUrl(stored: unknown, url: string): boolean {
  if (typeof stored !== 'string' || !URL.canParse(stored) || !URL.canParse(url)) return false;
  return new URL(stored).href === new URL(url).href;
}

/** The stored headers, overridden by the given ones. A mask or the stored text keeps the stored value. */
function mergeHeaders(stored: HttpHeaders, written: JsonObject, requestHeaders: HttpHeaders): HttpHeaders {
  const headers: HttpHeaders = { ...stored };
  const writtenHeaders = isObject(written.headers) ? written.headers : {};
  const byName = new Map(Object.keys(headers).map(name => [name.toLowerCase(), name]));
  for (const [name, value] of Object.entries(requestHeaders)) {
    const storedName = byName.get(name.toLowerCase());
    if (storedName !== undefined && (value === MASK || value === writtenHeaders[storedName])) continue;
    if (typeof value === 'string' && value.includes('{{')) {
      throw refusal('headers', 'Placeholders are replaced only in stored headers. Save the node first.');
    }
    if (storedName !== undefined) delete headers[storedName];
    headers[name] = value;
  }
  return headers;
}

function refusal(field: string, message: string): InvalidInputError {
  return new InvalidInputError({ [field]: [message] });
}
