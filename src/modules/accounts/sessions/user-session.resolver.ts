import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { UUID } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../request-context.js';
import type { UserSessionService } from './user-session.service.js';
import { UserSession } from './user-session.type.js';

@Resolver(() => UserSession)
export class UserSessionResolver {
  constructor(private readonly sessions: UserSessionService) {}

  @Query(() => [UserSession], {
    name: 'sessions',
    description: 'Active sessions of the caller, most recently used first. At most 100.',
  })
  list(@Ctx() { viewer }: RequestContext) {
    return this.sessions.list(viewer);
  }

  @PayloadMutation({
    returns: { revokedSessions: () => Int },
    name: 'sessionRevoke',
    description:
      'Ends sessions of the caller, or of any user for administrators: their tokens are refused from now on. Returns how many were active. NOT_FOUND, without any effect, when one of them belongs to another user or does not exist.',
  })
  revoke(
    @Ctx() { viewer }: RequestContext,
    @Arg('ids', () => [UUID], { description: 'Ids of the sessions, 1-100.' }) ids: string[],
  ) {
    return this.sessions.revoke(viewer, ids);
  }
}
