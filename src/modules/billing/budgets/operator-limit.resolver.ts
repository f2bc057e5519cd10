import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../accounts/request-context.js';
import { User } from '../../accounts/users/user.js';
import { Project } from '../../projects/project.js';
import type { OperatorLimitService } from './operator-limit.service.js';
import { OperatorLimit, OperatorLimitInput } from './operator-limit.type.js';

@Resolver(() => OperatorLimit)
export class OperatorLimitResolver {
  constructor(private readonly limits: OperatorLimitService) {}

  @Mutation(() => OperatorLimit, {
    name: 'operatorLimitSet',
    nullable: true,
    description:
      'Sets what a user or a project may spend with the provider keys of the service. Returns the limit that holds now; null: unlimited. Past it a call on such a key fails with `budget_exceeded`; calls already made when it is set are charged all the same. For administrators, by another credential than a key with a limit.',
  })
  set(
    @Ctx() { viewer }: RequestContext,
    @Arg('input', () => OperatorLimitInput, { description: 'The user or project, and its limit.' })
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
    description: 'The operator’s limit on what the user spends with provider keys of the service; null: unlimited.',
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
    description: 'The operator’s limit on what is spent for it with provider keys of the service; null: unlimited.',
  })
  operatorLimit(@Root() project: Project) {
    return this.limits.ofProject(project);
  }
}
