import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { MaintenanceService } from './maintenance.service.js';
import { Maintenance } from './maintenance.type.js';

/** Only operations with these fields are permitted during maintenance, so that an administrator can end it. */
export const MAINTENANCE_FIELDS: ReadonlySet<string> = new Set(['maintenance', 'maintenanceSet']);

@Resolver(() => Maintenance)
export class MaintenanceResolver {
  constructor(private readonly maintenance: MaintenanceService) {}

  @Query(() => Maintenance, {
    name: 'maintenance',
    description: 'The state of the maintenance mode. Also available during maintenance. Requires an administrator.',
  })
  get(@Ctx() { viewer }: RequestContext) {
    return this.maintenance.get(viewer);
  }

  @PayloadMutation({
    returns: { maintenance: () => Maintenance },
    name: 'maintenanceSet',
    description:
      'Turns the maintenance mode on or off, for all processes within a second. While it is on, ' +
      'all other API requests receive 503 (UNAVAILABLE); runs continue. Requires an administrator.',
  })
  set(
    @Ctx() { viewer }: RequestContext,
    @Arg('isOn', () => Boolean, { description: 'True turns the maintenance mode on, false turns it off.' })
    isOn: boolean,
    @Arg('message', () => String, {
      nullable: true,
      description:
        'The error message for refused requests, at most 500 characters, for example `Back at 14:00 UTC.` Default: a standard message.',
    })
    message: string | null | undefined,
  ) {
    return this.maintenance.set(viewer, { isOn, message });
  }
}
