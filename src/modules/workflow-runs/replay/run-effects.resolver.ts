import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { RunEffectsService } from './run-effects.service.js';
import { WorkflowRunAction, WorkflowRunEffects } from './run-effects.type.js';
import { choiceOf, REUSE_RESULTS, REVISION, REVISION_NUMBER, WorkflowRunRevision } from './run-revision.js';

@Resolver()
export class RunEffectsResolver {
  constructor(private readonly service: RunEffectsService) {}

  @Query(() => WorkflowRunEffects, {
    name: 'workflowRunEffects',
    description:
      'The calls that a fork, a restart or a cancellation of a run would make again, those that were already made, and the expected cost. Calls behind a repeated one are predicted from its recorded result. BAD_USER_INPUT when the results have expired or the new run would be refused. Requires the role editor.',
  })
  effects(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'Id of the run.' }) id: string,
    @Arg('action', () => WorkflowRunAction, { description: 'The action whose effects are requested.' })
    action: WorkflowRunAction,
    @Arg('nodeId', () => String, { nullable: true, description: 'For FORK: `nodeId` of the mutation.' })
    nodeId: string | null | undefined,
    @Arg('input', () => JSONValue, { nullable: true, description: 'Input of the new run. Default: the original one.' })
    input: unknown,
    @Arg('revision', () => WorkflowRunRevision, { nullable: true, description: REVISION })
    revision: WorkflowRunRevision | null | undefined,
    @Arg('revisionNumber', () => Int, { nullable: true, description: REVISION_NUMBER })
    revisionNumber: number | null | undefined,
    @Arg('reuseResults', () => Boolean, { defaultValue: false, description: `For RESTART. ${REUSE_RESULTS}` })
    reusesResults: boolean,
  ) {
    const choice = choiceOf(revision, revisionNumber);
    return this.service.effects(viewer, id, { action, nodeId, input, reusesResults, ...choice });
  }
}
