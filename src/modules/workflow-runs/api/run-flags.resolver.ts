import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { UUID } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { WorkflowRun } from '../history/workflow-run.js';
import type { RunFlagService } from './run-flags.service.js';

const WORKFLOW = { description: 'Id of the workflow of the run.' };
const RUN = { description: 'Id of the run.' };

@Resolver()
export class RunFlagResolver {
  constructor(private readonly flags: RunFlagService) {}

  @PayloadMutation({
    returns: { workflowRun: () => WorkflowRun },
    name: 'workflowRunExampleSet',
    description:
      'Sets whether a run is shown as an example on the marketplace. BAD_USER_INPUT when its result has expired. Requires the role admin.',
  })
  setExample(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW) workflowId: number,
    @Arg('id', () => UUID, RUN) id: string,
    @Arg('useInMarketplaceExample', () => Boolean, { description: 'Whether the run is an example.' })
    isExample: boolean,
  ) {
    return this.flags.setExample(viewer, workflowId, id, isExample);
  }

  @PayloadMutation({
    returns: { workflowRun: () => WorkflowRun },
    name: 'workflowRunTemplateSet',
    description:
      'Sets whether a run is the marketplace template, whose graph is copied. A workflow has at most one template: a new one replaces the previous one. BAD_USER_INPUT when the run has not succeeded, has expired or has no graph. Requires the role admin.',
  })
  setTemplate(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW) workflowId: number,
    @Arg('id', () => UUID, RUN) id: string,
    @Arg('useAsMarketplaceTemplate', () => Boolean, { description: 'Whether the run is the template.' })
    isTemplate: boolean,
  ) {
    return this.flags.setTemplate(viewer, workflowId, id, isTemplate);
  }
}
