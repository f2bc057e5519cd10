import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../accounts/request-context.js';
import type { MaintenanceService } from './maintenance.service.js';
import { Maintenance } from './maintenance.type.js';

/** Operations of these fields alone are answered during maintenance: whoever turned it on can turn it off. */
export const MAINTENANCE_FIELDS: ReadonlySet<string> = new Set(['maintenance', 'maintenanceSet']);

@Resolver(() => Maintenance)
export class MaintenanceResolver {
  constructor(private readonly maintenance: MaintenanceService) {}

  @Query(() => Maintenance, {
    name: 'maintenance',
    description: 'Whether the service is closed for maintenance. For administrators; answered during maintenance too.',
  })
  get(@Ctx() { viewer }: RequestContext) {
    return this.maintenance.get(viewer);
  }

  @Mutation(() => Maintenance, {
    name: 'maintenanceSet',
    description:
      'Closes the service for maintenance, or opens it again; all processes follow within a second. While it is closed ' +
      'every API request but this one is answered 503 (UNAVAILABLE); runs go on. For administrators.',
  })
  set(
    @Ctx() { viewer }: RequestContext,
    @Arg('isOn', () => Boolean, { description: 'True closes, false opens.' }) isOn: boolean,
    @Arg('message', () => String, {
      nullable: true,
      description: 'What callers are told, at most 500 characters. Default: a sentence of the service’s own.',
    })
    message: string | null | undefined,
  ) {
    return this.maintenance.set(viewer, { isOn, message });
  }
}
