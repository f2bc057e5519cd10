import { Arg, Ctx, FieldResolver, Int, Mutation, Resolver, Root } from 'type-graphql';
import { Decimal } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { Project } from '../../projects/project.js';
import type { ProjectBudgetService } from './project-budget.service.js';
import { ProjectBudget } from './project-budget.type.js';

@Resolver(() => Project)
export class ProjectBudgetResolver {
  constructor(private readonly budgets: ProjectBudgetService) {}

  @Mutation(() => Project, {
    name: 'projectBudgetSet',
    description:
      'Sets the spending limit of a project. Past it runs are refused, and paid calls under way elsewhere fail with `budget_exceeded`; calls already made when it is set are charged all the same. Needs the role admin.',
  })
  set(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The project.' }) projectId: number,
    @Arg('limitUsd', () => Decimal, {
      nullable: true,
      description: 'US dollars, 0-1000000000 with at most 12 decimal places. Required: null takes the limit away.',
    })
    limitUsd: string | null | undefined,
  ) {
    return this.budgets.set(viewer, projectId, limitUsd);
  }

  @FieldResolver(() => ProjectBudget, { nullable: true, description: 'The spending limit; null when there is none.' })
  budget(@Root() project: Project) {
    return this.budgets.of(project);
  }
}
