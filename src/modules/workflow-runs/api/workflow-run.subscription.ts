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
      'A run, live, whichever process executes it: first the present state, or what came after `afterSequence`; then each change once and in order. Completes when the run has ended. NOT_FOUND when the run is not the caller’s.',
    topics: 'workflowRunChanged',
    topicId: ({ args, context }) => ({ args, context }),
  })
  changed(
    @Root() change: WorkflowRunChange,
    @Arg('id', () => UUID, { description: 'The run.' }) _id: string,
    @Arg('afterSequence', () => Int, {
      nullable: true,
      description: 'The last sequence number seen: go on after it, without a snapshot.',
    })
    _afterSequence: number | null,
  ): WorkflowRunChange {
    return change;
  }

  @FieldResolver(() => WorkflowRun, { description: 'The run’s record as it is now.' })
  run(@Ctx() { viewer }: RequestContext, @Root() change: WorkflowRunChange) {
    return this.runs.get(viewer, change.runId);
  }
}
