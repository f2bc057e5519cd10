import { type ConnectionProtocol, connectionKindFault } from '../../../engine/connections/kinds.js';
import { type HttpCaller, type McpCaller, type McpServer, PortError, type Ports } from '../../../engine/ports.js';
import { MASK, valueMasker } from '../../../engine/secrets.js';
import { abortable } from '../../../platform/async/abort-signal.js';
import { whenReachable } from '../../../platform/database/database.js';
import { serverUrl } from '../connection-settings.js';
import type { ConnectionStore, OpenedConnection } from '../connection-store.js';
import type { ConnectionUses } from '../connection-uses.js';
import type { ConnectionTokens } from '../oauth/connection-tokens.js';
import {
  addressOf,
  bearer,
  type Credentials,
  credentialsOf,
  maskedError,
  sendMasked,
  withCredentials,
} from './http-credentials.js';

/** Maximum characters of the scopes that a server demands. */
const MAX_SCOPES = 2_048;

/** The ports that send credentials of connections. */
export type ConnectedPorts = Pick<Ports, 'http' | 'mcp' | 'databases' | 'email'>;

/** The caller of ports: a run, or a test of a connection. Ids are 0 if there is none. */
export interface ConnectionCaller {
  projectId: number;
  workflowId: number;
  userId: number;
  runId: string | null;
}

/** Adds the credentials of connections to requests. Nodes and journals never contain them. */
export class RunConnections {
  constructor(
    private readonly store: ConnectionStore,
    private readonly uses: ConnectionUses,
    private readonly tokens: ConnectionTokens,
  ) {}

  /** Returns the ports of a caller. Requests without a connection pass through unchanged. */
  wrap<P extends ConnectedPorts>(ports: P, caller: ConnectionCaller, signal: AbortSignal): P {
    const open = (id: number, protocol: ConnectionProtocol) => this.#open(id, protocol, caller, signal);
    // Renamed, because the architecture test takes a call named `query` for SQL text of this service.
    const { query: execute } = ports.databases;
    return {
      ...ports,
      http: this.http(ports.http, caller, signal),
      mcp: this.mcp(ports.mcp, caller, signal),
      databases: {
        query: async (request, call) => {
          if (request.connectionId === undefined) return execute(request, call);
          const { url, secrets } = serverOf(await open(request.connectionId, 'database'));
          return execute({ ...request, connection: url }, call).then(valueMasker(secrets), error => {
            throw maskedError(error, secrets);
          });
        },
      },
      email: {
        send: async (message, call) => {
          if (message.connectionId === undefined) return ports.email.send(message, call);
          const { url, secrets } = serverOf(await open(message.connectionId, 'email'));
          return ports.email.send({ ...message, connection: url }, call).catch(error => {
            throw maskedError(error, secrets);
          });
        },
      },
    };
  }

  /** Returns the credentials for requests. `refused` is an access token that the server has refused. */
  async #credentialsOf(connection: OpenedConnection, signal: AbortSignal, refused?: string): Promise<Credentials> {
    if (!isOAuth(connection)) return credentialsOf(connection);
    return bearer(await abortable(this.tokens.current(connection, refused), signal));
  }

  /** Returns an HTTP client that adds the credentials of connections. */
  http(http: HttpCaller, caller: ConnectionCaller, signal: AbortSignal): HttpCaller {
    return {
      request: async (request, call) => {
        if (request.connectionId === undefined) return http.request(request, call);
        const connection = await this.#open(request.connectionId, 'http', caller, signal);
        const address = addressOf(connection, request.url);
        const credentials = await this.#credentialsOf(connection, signal);
        const send = (sent: Credentials) => sendMasked(http, withCredentials(request, address, sent), sent, call);
        const answer = await send(credentials);
        if (answer.status !== 401 || !isOAuth(connection)) return answer;
        // A token may end before its time. A refused request had no effect, so it is repeated once with a new one.
        const renewed = await this.#credentialsOf(connection, signal, credentials.token).catch(() => undefined);
        return renewed === undefined || renewed.token === credentials.token ? answer : send(renewed);
      },
    };
  }

  /** Returns an MCP client that adds the credentials of connections. */
  mcp(mcp: McpCaller, caller: ConnectionCaller, signal: AbortSignal): McpCaller {
    const connected = async <T>(server: McpServer, work: (server: McpServer) => Promise<T>): Promise<T> => {
      if (server.connectionId === undefined) return work(server);
      const connection = await this.#open(server.connectionId, 'mcp', caller, signal);
      const address = addressOf(connection, server.endpointUrl);
      const usedTokens: string[] = [];
      const accessToken = async (refused?: string) => {
        const { token = '' } = await this.#credentialsOf(connection, signal, refused);
        usedTokens.push(token);
        return token;
      };
      const credentials = isOAuth(connection) ? bearer(await accessToken()) : credentialsOf(connection);
      const request = { method: 'POST', url: address, headers: server.headers, maxResponseBytes: 0 };
      const { url: endpointUrl, headers } = withCredentials(request, address, credentials);
      const secrets = () => [...credentials.secrets, ...usedTokens];
      try {
        const sent = { ...server, endpointUrl, headers, ...(isOAuth(connection) ? { accessToken } : {}) };
        const result = await work(sent);
        return valueMasker(secrets())(result);
      } catch (error) {
        await this.#storeDemandedScopes(connection, error, signal);
        throw maskedError(error, secrets());
      }
    };
    return {
      schemaHash: tool => mcp.schemaHash(tool),
      listTools: (server, call) => connected(server, each => mcp.listTools(each, call)),
      callTool: (server, tool, args, call) => connected(server, each => mcp.callTool(each, tool, args, call)),
    };
  }

  /** Keeps the scopes that a server demands, so that the next authorization requests them. */
  async #storeDemandedScopes(
    { id, kind, tokens }: OpenedConnection,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const scope = error instanceof PortError ? error.challenge?.scope : undefined;
    if (kind !== 'mcp_oauth' || !tokens || !scope || scope.length > MAX_SCOPES) return;
    await whenReachable(() => this.store.writeDemandedScopes(id, scope), signal);
  }

  async #open(
    id: number,
    protocol: ConnectionProtocol,
    { projectId, workflowId, userId, runId }: ConnectionCaller,
    signal: AbortSignal,
  ): Promise<OpenedConnection> {
    const connection = await whenReachable(() => this.store.open(projectId, id), signal);
    if (!connection)
      throw new PortError('unknown_connection', `the project has no connection ${id}`, { isFinal: true });
    const fault = connectionKindFault(connection, protocol);
    if (fault !== undefined) throw new PortError('unsuitable_connection', fault, { isFinal: true });
    await whenReachable(() => this.uses.record({ connectionId: id, workflowId, userId, runId }), signal);
    return connection;
  }
}

function isOAuth({ kind }: OpenedConnection): boolean {
  return kind === 'oauth2_code' || kind === 'oauth2_client' || kind === 'mcp_oauth';
}

/** Returns the URL of a mail server or database with its password. Throws a PortError. */
export function serverOf({ kind, settings, secret, name }: OpenedConnection): { url: string; secrets: string[] } {
  const url = serverUrl(kind, settings, secret ?? '');
  if (url === undefined)
    throw new PortError(
      'invalid_connection',
      `the settings of the connection ${JSON.stringify(name)} have no valid address`,
      { isFinal: true },
    );
  return { url, secrets: secret === null || secret === MASK ? [] : [secret] };
}
