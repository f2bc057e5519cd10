import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import type { KeyedStarts } from '../../accounts/api-keys/keyed-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { IDEMPOTENCY_KEY } from '../api/workflow-run.resolver.js';
import type { RunDiffService } from './run-diff.service.js';
import { WorkflowRunDiff } from './run-diff.type.js';
import type { RunForkService } from './run-fork.service.js';
import { WorkflowRunReceipt } from './workflow-run.inputs.js';

@Resolver()
export class RunForkResolver {
  constructor(
    private readonly forks: RunForkService,
    private readonly diffs: RunDiffService,
    private readonly keyed: KeyedStarts,
  ) {}

  @Mutation(() => WorkflowRunReceipt, {
    name: 'workflowRunFork',
    description:
      'Runs the graph of a run again from one of its nodes on, with the original input or another one. What finished and does not come after the node is taken over, and neither executed nor charged again; triggers are read anew. BAD_USER_INPUT when the results have expired, or for a node that is not in the graph itself. Needs the role editor.',
  })
  fork(
    @Ctx() context: RequestContext,
    @Arg('id', () => UUID, { description: 'The run to fork.' }) id: string,
    @Arg('nodeId', () => String, { description: 'The node to begin with.' }) nodeId: string,
    @Arg('input', () => JSONValue, {
      nullable: true,
      description:
        'Values by field id; `********` for a secret field keeps the value of the run. Left out: the input of the run.',
    })
    input: unknown,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
  ) {
    return this.keyed.once(context, key, ['workflowRunFork', { id, nodeId, input }], reservedId =>
      this.forks.fork(context.viewer, id, nodeId, { input, reservedId }),
    );
  }

  @Query(() => WorkflowRunDiff, {
    name: 'workflowRunDiff',
    description:
      'Compares two runs: the first node that differs, inputs, results and cost. NOT_FOUND when one is not the caller’s.',
  })
  diff(
    @Ctx() context: RequestContext,
    @Arg('left', () => UUID, { description: 'The first run.' }) left: string,
    @Arg('right', () => UUID, { description: 'The second run.' }) right: string,
  ) {
    return this.diffs.diff(context, left, right);
  }
}
