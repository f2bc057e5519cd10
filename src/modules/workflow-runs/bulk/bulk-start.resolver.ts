import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { ENVIRONMENT, environmentOf } from '../api/run-start.js';
import type { BulkStartService } from './bulk-start.service.js';
import { WorkflowRunStartInput, WorkflowRunStarts } from './bulk-start.type.js';

@Resolver(() => WorkflowRunStarts)
export class BulkStartResolver {
  constructor(private readonly bulkStarts: BulkStartService) {}

  @PayloadMutation({
    returns: { starts: () => WorkflowRunStarts },
    name: 'workflowRunStartMany',
    description:
      'Starts up to 1,000 runs of a workflow. Each item has its own idempotency key and outcome; a failed item does not affect the others. Requires the role editor.',
  })
  start(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => Int, { description: 'Id of the workflow.' }) workflowId: number,
    @Arg('items', () => [WorkflowRunStartInput], { description: 'The runs to start, 1-1,000.' })
    items: WorkflowRunStartInput[],
    @Arg('revisionNumber', () => Int, {
      nullable: true,
      description:
        'Number of the revision to run. Default: the published revision where the project uses drafts, else the current one.',
    })
    revisionNumber: number | null | undefined,
    @Arg('environment', () => String, { nullable: true, description: ENVIRONMENT })
    environment: string | null | undefined,
  ) {
    const choice = { revisionNumber: revisionNumber ?? undefined, ...environmentOf(environment) };
    return this.bulkStarts.start(context, workflowId, items, choice);
  }
}
