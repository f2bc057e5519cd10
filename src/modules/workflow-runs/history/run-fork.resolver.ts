import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import { IDEMPOTENCY_KEY } from '../../accounts/api-keys/idempotency-key-description.js';
import type { IdempotentStarts } from '../../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { choiceOf, REVISION, REVISION_NUMBER, WorkflowRunRevision } from '../replay/run-revision.js';
import type { RunDiffService } from './run-diff.service.js';
import { WorkflowRunDiff } from './run-diff.type.js';
import type { RunForkService } from './run-fork.service.js';
import { RUN_START } from './run-start.payload.js';

@Resolver()
export class RunForkResolver {
  constructor(
    private readonly forks: RunForkService,
    private readonly diffs: RunDiffService,
    private readonly idempotentStarts: IdempotentStarts,
  ) {}

  @PayloadMutation({
    ...RUN_START,
    name: 'workflowRunFork',
    description:
      'Runs a run again and reuses its results; nodes with a reused result are neither executed nor charged again. With `nodeId`, all nodes from this one on are executed. In another revision, or without `nodeId`, a result is reused if the resolved request of its node is unchanged and depends on no call that is made again. Triggers are evaluated again. `workflowRunEffects` shows the calls in advance. BAD_USER_INPUT when the results have expired, or when the node is not a reachable top-level node of the graph. Requires the role editor.',
  })
  fork(
    @Ctx() context: RequestContext,
    @Arg('id', () => UUID, { description: 'Id of the run to fork.' }) id: string,
    @Arg('nodeId', () => String, {
      nullable: true,
      description: 'Id of the first node to execute. Default: those that have no result or another request.',
    })
    nodeId: string | null | undefined,
    @Arg('input', () => JSONValue, {
      nullable: true,
      description:
        'Values by field id. `********` for a secret field keeps the value of the original run. Default: the input of the original run.',
    })
    input: unknown,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
    @Arg('revision', () => WorkflowRunRevision, { nullable: true, description: REVISION })
    revision: WorkflowRunRevision | null | undefined,
    @Arg('revisionNumber', () => Int, { nullable: true, description: REVISION_NUMBER })
    revisionNumber: number | null | undefined,
  ) {
    const request = { nodeId, input, ...choiceOf(revision, revisionNumber) };
    return this.idempotentStarts.once(context, key, ['workflowRunFork', { id, ...request }], reservedId =>
      this.forks.fork(context.viewer, id, { ...request, reservedId }),
    );
  }

  @Query(() => WorkflowRunDiff, {
    name: 'workflowRunDiff',
    description:
      'Compares the inputs, nodes, outputs and costs of two runs. NOT_FOUND when a run does not exist or is not visible to the caller. Requires the role viewer in both projects.',
  })
  diff(
    @Ctx() context: RequestContext,
    @Arg('leftId', () => UUID, { description: 'Id of the first run.' }) leftId: string,
    @Arg('rightId', () => UUID, { description: 'Id of the second run.' }) rightId: string,
  ) {
    return this.diffs.diff(context, leftId, rightId);
  }
}
