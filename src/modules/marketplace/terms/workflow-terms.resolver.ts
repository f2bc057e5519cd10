import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { Workflow } from '../../workflows/workflow.js';
import type { WorkflowTermsService } from './workflow-terms.service.js';
import { WorkflowTerms } from './workflow-terms.type.js';

@Resolver(() => Workflow)
export class WorkflowTermsResolver {
  constructor(private readonly service: WorkflowTermsService) {}

  @PayloadMutation({
    returns: { workflow: () => Workflow },
    name: 'workflowTermsAccept',
    description:
      'Accepts the current terms of the author of a marketplace workflow, for a copy, its duplicates and workflows with an equal graph. CONFLICT when the current terms differ from the arguments, the workflow is no longer published, or it is not a copy. Requires the role admin.',
  })
  accept(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The id of the copy.' }) id: number,
    @Arg('runFee', () => Int, {
      description: 'The accepted commission in percent: the value of `terms.offered.runFee`.',
    })
    runFee: number,
    @Arg('freeRunsPerUser', () => Int, {
      description: 'The accepted number of free runs: the value of `terms.offered.freeRunsPerUser`.',
    })
    freeRunsPerUser: number,
  ) {
    return this.service.accept(viewer, id, { runFee, freeRunsPerUser });
  }

  @FieldResolver(() => WorkflowTerms, {
    nullable: true,
    description:
      'The terms of a copy from the marketplace or of a workflow with an equal graph: the commission that its runs pay to the author. Null for all other workflows.',
  })
  terms(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return this.service.of(context, workflow);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'The number of runs without commission that the caller has left. Null for a workflow without terms.',
  })
  freeRunsLeft(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return this.service.freeRunsLeft(context, workflow);
  }
}
