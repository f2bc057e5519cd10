import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import { PageArguments } from '../../base/page.args.js';
import { UUID } from '../../base/scalars.js';
import type { RequestContext } from '../accounts/request-context.js';
import { BillingTransactionPage } from '../billing/billing-transaction.js';
import type { WorkflowRunService } from './workflow-run.service.js';

@Resolver()
export class WorkflowRunBillingResolver {
  constructor(private readonly runs: WorkflowRunService) {}

  @Query(() => BillingTransactionPage, {
    name: 'billingTransactions',
    description: 'What a run was charged for, one row an executed node, newest first. `size` is 1-100 here.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => UUID, { description: 'The run.' }) runId: string,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.runs.billing(viewer, runId, page);
  }
}
