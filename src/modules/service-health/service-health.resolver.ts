import { Ctx, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../accounts/request-context.js';
import type { ServiceHealthService } from './service-health.service.js';
import { ServiceHealth } from './service-health.type.js';

@Resolver(() => ServiceHealth)
export class ServiceHealthResolver {
  constructor(private readonly health: ServiceHealthService) {}

  @Query(() => ServiceHealth, {
    name: 'serviceHealth',
    description:
      'The state of the service: its queues, its database and the process that responds. Counts are up to 5 seconds old. UNAVAILABLE when the database does not count the work within 2 seconds. Requires an administrator.',
  })
  get(@Ctx() { viewer }: RequestContext) {
    return this.health.get(viewer);
  }
}
