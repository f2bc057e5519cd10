import { Arg, Ctx, Int, Mutation, Resolver } from 'type-graphql';
import { UUID } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { WorkflowRun } from '../history/workflow-run.js';
import type { RunFlagService } from './run-flags.service.js';

const WORKFLOW = { description: 'The workflow of the run.' };
const RUN = { description: 'The run.' };

@Resolver()
export class RunFlagResolver {
  constructor(private readonly flags: RunFlagService) {}

  @Mutation(() => WorkflowRun, {
    name: 'workflowRunExampleSet',
    description:
      'Shows a run as an example on the marketplace, or no longer. BAD_USER_INPUT when its result has expired. Needs the role admin.',
  })
  setExample(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW) workflowId: number,
    @Arg('id', () => UUID, RUN) id: string,
    @Arg('useInMarketplaceExample', () => Boolean, { description: 'Whether it is an example.' }) isExample: boolean,
  ) {
    return this.flags.setExample(viewer, workflowId, id, isExample);
  }

  @Mutation(() => WorkflowRun, {
    name: 'workflowRunTemplateSet',
    description:
      'Makes a run the marketplace template, whose graph copies are made of, or takes the mark away. At most one run has it: marking one clears the previous one. BAD_USER_INPUT when the run has not succeeded, has expired or carries no graph. Needs the role admin.',
  })
  setTemplate(
    @Ctx() { viewer }: RequestContext,
    @Arg('workflowId', () => Int, WORKFLOW) workflowId: number,
    @Arg('id', () => UUID, RUN) id: string,
    @Arg('useAsMarketplaceTemplate', () => Boolean, { description: 'Whether it is the template.' })
    isTemplate: boolean,
  ) {
    return this.flags.setTemplate(viewer, workflowId, id, isTemplate);
  }
}
