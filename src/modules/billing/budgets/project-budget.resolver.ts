import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { Decimal } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { Project } from '../../projects/project.js';
import type { ProjectBudgetService } from './project-budget.service.js';
import { ProjectBudget } from './project-budget.type.js';

@Resolver(() => Project)
export class ProjectBudgetResolver {
  constructor(private readonly budgets: ProjectBudgetService) {}

  @PayloadMutation({
    returns: { project: () => Project },
    name: 'projectBudgetSet',
    description:
      'Sets the spending limit of a project. When the limit is reached, new runs are refused and paid calls of started runs fail with `budget_exceeded`. Calls in progress are still charged. Requires the role admin.',
  })
  set(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
    @Arg('limitUsd', () => Decimal, {
      nullable: true,
      description:
        'The limit in US dollars, 0-1000000000 with at most 12 decimal places, for example `"25.50"`. Required; null removes the limit.',
    })
    limitUsd: string | null | undefined,
  ) {
    return this.budgets.set(viewer, projectId, limitUsd);
  }

  @FieldResolver(() => ProjectBudget, {
    nullable: true,
    description: 'The spending limit of the project. Null: no limit.',
  })
  budget(@Root() project: Project) {
    return this.budgets.of(project);
  }
}
