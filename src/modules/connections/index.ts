import { HOURLY } from '../../durable/scheduled-tasks.js';
import { accounts } from '../accounts/index.js';
import { defineModule } from '../module.js';
import { projects } from '../projects/index.js';
import { ConnectionEntity } from './connection.entity.js';
import { ConnectionResolver } from './connection.resolver.js';
import { ConnectionService } from './connection.service.js';
import { ConnectionStore } from './connection-store.js';
import { ConnectionTester } from './connection-tester.js';
import { ConnectionUseEntity } from './connection-use.entity.js';
import { ConnectionUses } from './connection-uses.js';
import { clientMetadataOf } from './oauth/client-metadata.js';
import { ConnectionAuthorizationResolver } from './oauth/connection-authorization.resolver.js';
import { ConnectionAuthorizationService, type McpAuthorizer } from './oauth/connection-authorization.service.js';
import { ConnectionTokens } from './oauth/connection-tokens.js';
import { TokenEndpoint } from './oauth/token-endpoint.js';
import { RunConnections } from './runs/run-connections.js';

export const connections = defineModule({
  name: 'connections',
  needs: { accounts, projects },
  entities: [ConnectionEntity, ConnectionUseEntity],
  resolvers: [ConnectionResolver, ConnectionAuthorizationResolver],
  create({ config, database, vault, outbound, telemetry, http, mcp, databases, email }, { projects: { access } }) {
    const service = new ConnectionService(database, access, vault);
    const store = new ConnectionStore(database, vault);
    const uses = new ConnectionUses(database);
    const endpoint = new TokenEndpoint(outbound);
    telemetry.metrics.add({
      name: 'scenarium_connection_token_requests_total',
      help: 'Requests for OAuth 2 tokens of connections, by grant and outcome.',
      labels: ['grant', 'outcome'],
      isCounter: true,
      read: () => endpoint.requests.samples(),
    });
    const tokens = new ConnectionTokens(database, store, endpoint);
    const runConnections = new RunConnections(store, uses, tokens);
    const clientMetadata = clientMetadataOf(config.publicUrl);
    const beginMcp: McpAuthorizer = async (request, signal) => {
      // Loaded by the first authorization, because it loads the MCP client.
      const { beginMcpAuthorization } = await import('../../providers/mcp/authorization.js');
      // The description of this service names only its own redirect URL.
      const metadata =
        request.redirectUrl === clientMetadata?.redirectUrl ? { clientMetadataUrl: clientMetadata.url } : {};
      return beginMcpAuthorization(mcp, outbound, { ...request, ...metadata }, signal);
    };
    const tester = new ConnectionTester(service, store, runConnections, { http, mcp, databases, email });
    return {
      services: { connectionStore: store, runConnections, clientMetadata, tokens },
      resolvers: [
        new ConnectionResolver(service, tester),
        new ConnectionAuthorizationResolver(
          new ConnectionAuthorizationService(database, vault, service, store, endpoint, beginMcp),
        ),
      ],
      scheduledTasks: [{ name: 'deleting old uses of connections', cron: HOURLY, run: () => uses.deleteOld() }],
    };
  },
});
