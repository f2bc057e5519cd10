import type { JsonObject } from '../../../engine/json-value.js';
import { type McpCaller, type McpServer, PortError } from '../../../engine/ports.js';
import { secretValues, valueMasker } from '../../../engine/secrets.js';
import { mcpServerOf } from '../../../engine/workflow/nodes/data/mcp.js';
import type { Database } from '../../../platform/database/database.js';
import { InvalidInputError, NotFoundError } from '../../../platform/errors/errors.js';
import { Faults, isUnstorableJson } from '../../../platform/errors/fields.js';
import type { HttpHeaders } from '../../../platform/json/scalars.js';
import { schemaHash } from '../../../providers/mcp/schema-hash.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { RunConnections } from '../../connections/runs/run-connections.js';
import type { VariableReader } from '../../project-variables/variable-reader.js';
import { locateWorkflow } from '../locate-workflow.js';
import type { RevisionStore } from '../revision-store.js';
import { findStoredServer } from './find-stored-server.js';
import type { McpToolsArgs } from './mcp-tools.inputs.js';
import { type OpenedRevision, openRevision } from './stored-mcp-servers.js';

/** Lists the tools of MCP servers, given by URL or by a stored node. */
export class McpToolsService {
  constructor(
    private readonly database: Database,
    private readonly revisions: RevisionStore,
    private readonly mcp: McpCaller,
    private readonly environment: VariableReader,
    private readonly connections: Pick<RunConnections, 'mcp'>,
  ) {}

  async list(viewer: Viewer, args: McpToolsArgs): Promise<JsonObject[]> {
    const headers = checkArgs(args);
    const revision = args.workflowId == null ? null : await this.#revision(viewer, args.workflowId);
    const server = revision ? findStoredServer(revision, args, headers) : serverOfArgs(args, headers);
    // A server may echo the secrets that it received.
    const mask = valueMasker(revision ? secretsOf(revision) : []);
    try {
      const { signal } = new AbortController();
      const caller = { workflowId: revision?.workflowId ?? 0, userId: viewer.userId, runId: null };
      const mcp = revision
        ? this.connections.mcp(this.mcp, { projectId: revision.projectId, ...caller }, signal)
        : this.mcp;
      const tools = await mcp.listTools(server, { signal });
      return tools.map(tool => ({ ...mask(tool), schema_hash: schemaHash(tool) }));
    } catch (error) {
      if (error instanceof PortError) throw new InvalidInputError({ endpointUrl: [sentence(mask(error.message))] });
      throw error;
    }
  }

  /** A workflow that the viewer cannot access is reported like one that does not exist. */
  async #revision(viewer: Viewer, workflowId: number): Promise<OpenedRevision> {
    const { savedRevisionId } = await locateWorkflow(this.database, viewer, workflowId, 'project.read').catch(error => {
      if (error instanceof NotFoundError) throw new InvalidInputError({ workflowId: ['Object does not exist.'] });
      throw error;
    });
    return openRevision(await this.revisions.get(savedRevisionId), this.environment);
  }
}

function secretsOf({ secrets, variables }: OpenedRevision): string[] {
  const secretVariables = variables.flatMap(({ isSecret, value }) => (isSecret ? [value] : []));
  return secretValues([...Object.values(secrets), ...secretVariables]);
}

function checkArgs(args: McpToolsArgs): HttpHeaders {
  const { headers, timeout } = args;
  const faults = new Faults();
  checkPlace(args, faults);
  if (timeout != null && !(timeout >= 0.1 && timeout <= 30)) {
    faults.add('timeout', 'Ensure this value is between 0.1 and 30.');
  }
  if (isUnstorableJson(headers ?? {})) faults.add('headers', 'NUL characters and lone surrogates are not allowed.');
  faults.throwIfAny();
  return headers ?? {};
}

/** Checks the arguments that identify the server: a URL, or a stored node with its URL. */
function checkPlace({ endpointUrl, workflowId, nodeId }: McpToolsArgs, faults: Faults): void {
  const isStored = workflowId != null && nodeId != null;
  if (workflowId != null && nodeId == null) faults.add('nodeId', 'This field is required together with workflow_id.');
  if (nodeId != null && workflowId == null) faults.add('workflowId', 'This field is required together with node_id.');
  // A stored server may have the URL of its connection.
  if (endpointUrl === '' && !isStored) faults.add('endpointUrl', 'This field may not be blank.');
  if (isStored) faults.text('endpointUrl', endpointUrl, { max: 2048 });
  else faults.httpUrl('endpointUrl', endpointUrl);
}

function serverOfArgs({ endpointUrl, transport, timeout }: McpToolsArgs, headers: HttpHeaders): McpServer {
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
