import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import { UUID } from '../../../platform/json/scalars.js';
import { ConnectionArguments } from '../../../platform/lists/connection.args.js';
import { PageArguments } from '../../../platform/lists/page.args.js';
import type { RequestContext } from '../../accounts/request-context.js';
import {
  BillingFilter,
  BillingTransactionConnection,
  BillingTransactionPage,
} from '../../billing/billing-transaction.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';

@Resolver()
export class WorkflowRunBillingResolver {
  constructor(private readonly runs: WorkflowRunService) {}

  @Query(() => BillingTransactionPage, {
    name: 'billingTransactions',
    description:
      'Charges of a run, with one transaction per executed node, or all charges of a project. Newest first. `size` is 1-100. Requires the role viewer.',
  })
  list(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => UUID, { nullable: true, description: 'Id of the run. Required unless `projectId` is given.' })
    runId: string | null | undefined,
    @Arg('projectId', () => Int, {
      nullable: true,
      description:
        'Id of the project. Its charges include workflow runs, scenario runs, keyword runs and chat completions. When `runId` is given too, the run must belong to this project.',
    })
    projectId: number | null | undefined,
    @Arg('filter', () => BillingFilter, { nullable: true, description: 'Filter for transactions.' })
    filter: BillingFilter | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.runs.billing(viewer, { runId, projectId, filter }, page);
  }

  @Query(() => BillingTransactionConnection, {
    name: 'billingTransactionsConnection',
    description:
      'The charges of `billingTransactions`, selected by cursors instead of pages. Newest first. Requires the role viewer.',
  })
  connection(
    @Ctx() { viewer }: RequestContext,
    @Arg('runId', () => UUID, { nullable: true, description: 'Id of the run. Required unless `projectId` is given.' })
    runId: string | null | undefined,
    @Arg('projectId', () => Int, {
      nullable: true,
      description: 'Id of the project. When `runId` is given too, the run must belong to this project.',
    })
    projectId: number | null | undefined,
    @Arg('filter', () => BillingFilter, { nullable: true, description: 'Filter for transactions.' })
    filter: BillingFilter | null,
    @Args(() => ConnectionArguments) args: ConnectionArguments,
  ) {
    return this.runs.billingConnection(viewer, { runId, projectId, filter }, args);
  }
}
