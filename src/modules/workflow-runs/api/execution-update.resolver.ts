import { Arg, Ctx, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { UUID } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { WorkflowRunDelivery } from '../history/workflow-run.inputs.js';
import type { ExecutionUpdateService } from './execution-update.service.js';
import { ExecutionUpdateInput } from './execution-update.type.js';

@Resolver()
export class ExecutionUpdateResolver {
  constructor(private readonly updates: ExecutionUpdateService) {}

  @PayloadMutation({
    returns: { delivery: () => WorkflowRunDelivery },
    name: 'workflowRunReport',
    description:
      'Reports the progress of a run that an external execution service of the operator executes. Requires the service token over REST; FORBIDDEN for all other callers. An update has no effect when its `sequence` is not above the last one, when the run has ended, or when a worker of this service executes the run.',
  })
  report(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'Id of the run.' }) id: string,
    @Arg('input', () => ExecutionUpdateInput, { description: 'The update.' }) input: ExecutionUpdateInput,
  ) {
    return this.updates.apply(viewer, id, input);
  }
}
