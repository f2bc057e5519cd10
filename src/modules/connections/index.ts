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
import { RunConnections } from './runs/run-connections.js';

export const connections = defineModule({
  name: 'connections',
  needs: { accounts, projects },
  entities: [ConnectionEntity, ConnectionUseEntity],
  resolvers: [ConnectionResolver],
  create({ database, vault, http, mcp, databases, email }, { projects: { access } }) {
    const service = new ConnectionService(database, access, vault);
    const store = new ConnectionStore(database, vault);
    const uses = new ConnectionUses(database);
    const runConnections = new RunConnections(store, uses);
    const tester = new ConnectionTester(service, store, runConnections, { http, mcp, databases, email });
    return {
      services: { connectionStore: store, runConnections },
      resolvers: [new ConnectionResolver(service, tester)],
      scheduledTasks: [{ name: 'deleting old uses of connections', cron: HOURLY, run: () => uses.deleteOld() }],
    };
  },
});
