import { Arg, Ctx, FieldResolver, Int, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../accounts/request-context.js';
import { Workflow } from '../../workflows/workflow.js';
import type { WorkflowTermsService } from './workflow-terms.service.js';
import { WorkflowTerms } from './workflow-terms.type.js';

@Resolver(() => Workflow)
export class WorkflowTermsResolver {
  constructor(private readonly service: WorkflowTermsService) {}

  @Mutation(() => Workflow, {
    name: 'workflowTermsAccept',
    description:
      'Accepts what the author of a marketplace workflow asks now, for a copy, its duplicates and the graphs that equal it. CONFLICT when the author asks something else than is sent, no longer offers the workflow, or the workflow is no copy. Needs the role admin.',
  })
  accept(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => Int, { description: 'The copy.' }) id: number,
    @Arg('runFee', () => Int, { description: 'The fee that is accepted: `terms.offered.runFee`.' }) runFee: number,
    @Arg('freeRunsPerUser', () => Int, {
      description: 'The free runs that are accepted: `terms.offered.freeRunsPerUser`.',
    })
    freeRunsPerUser: number,
  ) {
    return this.service.accept(viewer, id, { runFee, freeRunsPerUser });
  }

  @FieldResolver(() => WorkflowTerms, {
    nullable: true,
    description:
      'Of a copy from the marketplace, and of a workflow whose graph equals one: what its runs pay the author. Null for any other workflow.',
  })
  terms(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return this.service.of(context, workflow);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Runs that the caller has left free of the fee, by `terms`. Null for a workflow without terms.',
  })
  freeRunsLeft(@Ctx() context: RequestContext, @Root() workflow: Workflow) {
    return this.service.freeRunsLeft(context, workflow);
  }
}
