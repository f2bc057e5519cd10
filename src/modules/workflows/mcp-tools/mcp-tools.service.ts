import { isObject, type JsonObject } from '../../../engine/json-value.js';
import { type McpCaller, type McpServer, PortError } from '../../../engine/ports.js';
import { secretValues, valueMasker } from '../../../engine/secrets.js';
import { mcpServerOf } from '../../../engine/workflow/nodes/mcp.js';
import type { Database } from '../../../platform/database/database.js';
import { InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults, isUnstorableJson } from '../../../platform/errors/fields.js';
import { schemaHash } from '../../../providers/mcp/schema-hash.js';
import type { Viewer } from '../../accounts/viewer.js';
import { locateWorkflow } from '../locate-workflow.js';
import type { Revision, RevisionStore } from '../revision-store.js';
import type { McpToolsArgs } from './mcp-tools.inputs.js';
import { storedMcpServer } from './mcp-tools.stored.js';

type Headers = Record<string, string | number | boolean | null>;

/** Lists the tools of MCP servers, given by URL or by a stored node. */
export class McpToolsService {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
    private readonly mcp: McpCaller,
  ) {}

  async list(viewer: Viewer, args: McpToolsArgs): Promise<JsonObject[]> {
    const headers = checkArgs(args);
    const revision = args.workflowId == null ? null : await this.#revision(viewer, args.workflowId);
    const server = revision ? storedMcpServer(revision, args, headers) : serverOfArgs(args, headers);
    // A server may echo the secrets that it received.
    const mask = valueMasker(secretValues(Object.values(revision?.secrets ?? {})));
    try {
      const tools = await this.mcp.listTools(server, { signal: new AbortController().signal });
      return tools.map(tool => ({ ...mask(tool), schema_hash: schemaHash(tool) }));
    } catch (error) {
      if (error instanceof PortError) throw new InvalidInputError({ endpointUrl: [sentence(mask(error.message))] });
      throw error;
    }
  }

  /** A workflow that the viewer cannot access is reported like one that does not exist. */
  async #revision(viewer: Viewer, workflowId: number): Promise<Revision> {
    const { revisionId } = await locateWorkflow(this.database, viewer, workflowId, 'project.read').catch(error => {
      if (error instanceof NotFoundError) throw new InvalidInputError({ workflowId: ['Object does not exist.'] });
      throw error;
    });
    return this.revisions.get(revisionId);
  }
}

function checkArgs(args: McpToolsArgs): Headers {
  const { headers, timeout } = args;
  const faults = new Faults();
  checkPlace(args, faults);
  if (timeout != null && !(timeout >= 0.1 && timeout <= 30)) {
    faults.add('timeout', 'Ensure this value is between 0.1 and 30.');
  }
  const isValid = headers == null || isHeaders(headers);
  if (!isValid)
    faults.add(
      'headers',
      'Send an object of at most 100 headers by name, with texts, numbers, booleans or null as values.',
    );
  faults.throwIfAny();
  return isValid ? (headers ?? {}) : {};
}

/** Checks the arguments that identify the server: a URL, or a stored node with its URL. */
function checkPlace({ endpointUrl, workflowId, nodeId }: McpToolsArgs, faults: Faults): void {
  const isStored = workflowId != null && nodeId != null;
  if (workflowId != null && nodeId == null) faults.add('nodeId', 'This field is required together with workflow_id.');
  if (nodeId != null && workflowId == null) faults.add('workflowId', 'This field is required together with node_id.');
  if (endpointUrl === '') faults.add('endpointUrl', 'This field may not be blank.');
  if (isStored) faults.text('endpointUrl', endpointUrl, { max: 2048 });
  else faults.httpUrl('endpointUrl', endpointUrl);
}

function isHeaders(value: unknown): value is Headers {
  return (
    isObject(value) &&
    Object.keys(value).length <= 100 &&
    Object.values(value).every(member => member === null || ['string', 'number', 'boolean'].includes(typeof member)) &&
    !isUnstorableJson(value)
  );
}

function serverOfArgs({ endpointUrl, transport, timeout }: McpToolsArgs, headers: Headers): McpServer {
  try {
    return mcpServerOf({ endpoint_url: endpointUrl, transport, headers, timeout });
  } catch (error) {
    if (error instanceof PortError) throw new InvalidInputError({ headers: [sentence(error.message)] });
    throw error;
  }
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.…]$/.test(message) ? '' : '.'}`;
}
