import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../accounts/request-context.js';
import { Workflow } from '../workflows/workflow.js';
import type { WorkflowPauseService } from './workflow-pause.service.js';

const ID = { description: 'Id of the workflow.' };

@Resolver(() => Workflow)
export class WorkflowPauseResolver {
  constructor(private readonly pauses: WorkflowPauseService) {}

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowPause',
    description:
      'Pauses a workflow: none of its triggers starts runs. Runs in progress continue, and callers can start runs. Requires the role editor.',
  })
  pause(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.pauses.pause(viewer, id);
  }

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowResume',
    description:
      'Lets the triggers of a paused workflow start runs again. Schedules continue with their next occurrence. Requires the role editor.',
  })
  resume(@Ctx() { viewer }: RequestContext, @Arg('id', () => Int, ID) id: number) {
    return this.pauses.resume(viewer, id);
  }
}
