import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { UUID } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { WorkflowRunDelivery } from '../history/workflow-run.inputs.js';
import type { ExecutionUpdateService } from './execution-update.service.js';
import { ExecutionUpdateInput } from './execution-update.type.js';

@Resolver()
export class ExecutionUpdateResolver {
  constructor(private readonly updates: ExecutionUpdateService) {}

  @Mutation(() => WorkflowRunDelivery, {
    name: 'workflowRunReport',
    description:
      'Reports the progress of a run that an execution service of the operator’s own executes; by REST, with the service token. FORBIDDEN for everybody else. An update that is not newer than the last one changes nothing, and neither does one for a run that has ended or that a worker of this service executes.',
  })
  report(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'The run.' }) id: string,
    @Arg('input', () => ExecutionUpdateInput, { description: 'The update.' }) input: ExecutionUpdateInput,
  ) {
    return this.updates.take(viewer, id, input);
  }
}
