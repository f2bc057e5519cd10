import { Arg, Ctx, FieldResolver, Int, Resolver, Root, Subscription } from 'type-graphql';
import { UUID } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { WorkflowRun } from '../history/workflow-run.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import { WorkflowRunChange } from './workflow-run-change.type.js';

@Resolver(() => WorkflowRunChange)
export class WorkflowRunSubscriptionResolver {
  constructor(private readonly runs: WorkflowRunService) {}

  @Subscription(() => WorkflowRunChange, {
    name: 'workflowRunChanged',
    description:
      'Streams a run: first its current state, or the changes after `afterSequence`, then each change once and in order. Completes when the run has ended. NOT_FOUND when the run does not exist or is not visible to the caller. Requires the role viewer.',
    topics: 'workflowRunChanged',
    // The request that `Subscribe` of the schema gets in place of an id.
    topicId: ({ args, context }) => ({ args, context }),
  })
  changed(
    @Root() change: WorkflowRunChange,
    @Arg('id', () => UUID, { description: 'Id of the run.' }) _id: string,
    @Arg('afterSequence', () => Int, {
      nullable: true,
      description: 'Last received sequence number. The stream continues after it, without a snapshot.',
    })
    _afterSequence: number | null,
  ): WorkflowRunChange {
    return change;
  }

  @FieldResolver(() => WorkflowRun, { description: 'Current state of the run.' })
  run(@Ctx() { viewer }: RequestContext, @Root() change: WorkflowRunChange) {
    return this.runs.get(viewer, change.runId);
  }
}
