import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { UUID } from '../../../platform/json/scalars.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { BillingFilter, BillingTransactionPage } from '../../billing/billing-transaction.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';

@Resolver()
export class WorkflowRunBillingResolver {
  constructor(private readonly runs: WorkflowRunService) {}

  @Query(() => BillingTransactionPage, {
    name: 'billingTransactions',
    description:
      'What a run was charged for, one row an executed node, or all that a project was charged for, newest first. `size` is 1-100 here.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => UUID, { nullable: true, description: 'The run. Absent: `projectId` is needed.' })
    runId: string | null | undefined,
    @Arg('projectId', () => Int, {
      nullable: true,
      description:
        'The project: runs of workflows and scenarios, keyword runs, chat completions. With a run: its project.',
    })
    projectId: number | null | undefined,
    @Arg('filter', () => BillingFilter, { nullable: true, description: 'Which transactions.' })
    filter: BillingFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.runs.billing(viewer, { runId, projectId, filter }, page);
  }
}
