import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PageArguments } from '../../platform/lists/page.args.js';
import { Money } from '../../platform/money/money.type.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Project } from '../projects/project.js';
import { BillingCreditPage } from './billing-credit.js';
import type { EarningsService } from './earnings.service.js';

@Resolver(() => Project)
export class EarningsResolver {
  constructor(private readonly earnings: EarningsService) {}

  @Query(() => BillingCreditPage, {
    name: 'projectEarnings',
    description:
      'The commissions that a project earned from runs of copies of its workflows, newest first. Requires the role viewer.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The id of the project.' }) projectId: number,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.earnings.list(viewer, projectId, page);
  }

  @FieldResolver(() => Money, {
    description: 'The sum of all commissions that the project has earned on the marketplace.',
  })
  totalEarned(@Root() project: Project) {
    return this.earnings.total(project);
  }
}
