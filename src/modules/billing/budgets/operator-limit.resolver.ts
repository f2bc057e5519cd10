import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { User } from '../../accounts/users/user.js';
import { Project } from '../../projects/project.js';
import type { OperatorLimitService } from './operator-limit.service.js';
import { OperatorLimit, OperatorLimitInput } from './operator-limit.type.js';

@Resolver(() => OperatorLimit)
export class OperatorLimitResolver {
  constructor(private readonly limits: OperatorLimitService) {}

  @PayloadMutation({
    returns: { operatorLimit: () => OperatorLimit },
    name: 'operatorLimitSet',
    description:
      'Sets the operator limit: the amount that a user or a project may spend with the provider keys of the service. Returns the limit that now applies; null: unlimited. When the limit is reached, calls with such keys fail with `budget_exceeded`. Calls in progress are still charged. Requires an administrator, and not an API key with a spending limit.',
  })
  set(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => OperatorLimitInput, { description: 'The user or project and the new limit.' })
    input: OperatorLimitInput,
  ) {
    return this.limits.set(viewer, input);
  }
}

@Resolver(() => User)
export class UserLimitResolver {
  constructor(private readonly limits: OperatorLimitService) {}

  @FieldResolver(() => OperatorLimit, {
    nullable: true,
    description: 'The operator limit on the spending of the user with provider keys of the service. Null: unlimited.',
  })
  operatorLimit(@Root() user: User) {
    return this.limits.ofUser(user);
  }
}

@Resolver(() => Project)
export class ProjectLimitResolver {
  constructor(private readonly limits: OperatorLimitService) {}

  @FieldResolver(() => OperatorLimit, {
    nullable: true,
    description:
      'The operator limit on the spending of the project with provider keys of the service. Null: unlimited.',
  })
  operatorLimit(@Root() project: Project) {
    return this.limits.ofProject(project);
  }
}
