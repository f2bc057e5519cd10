import { accounts } from '../accounts/index.js';
import { deadLetters } from '../dead-letters/index.js';
import { defineModule } from '../module.js';
import { ServiceHealthResolver } from './service-health.resolver.js';
import { ServiceHealthService } from './service-health.service.js';

/** The state of the service for administrators: its queues, its database and the process that responds. */
export const serviceHealth = defineModule({
  name: 'service-health',
  needs: { accounts, deadLetters },
  resolvers: [ServiceHealthResolver],
  create({ config, database, queue, telemetry }) {
    const service = new ServiceHealthService(database, queue, config.role, telemetry.log);
    return { services: {}, resolvers: [new ServiceHealthResolver(service)] };
  },
});
