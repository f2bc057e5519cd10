import { Arg, Ctx, Int, Mutation, Resolver } from 'type-graphql';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import type { KeyedStarts } from '../../accounts/api-keys/keyed-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { GraphRunService } from '../admission/graph-run.service.js';
import { WorkflowRunReceipt } from '../history/workflow-run.inputs.js';
import { IDEMPOTENCY_KEY } from './workflow-run.resolver.js';

@Resolver()
export class GraphRunResolver {
  constructor(
    private readonly runs: GraphRunService,
    private readonly keyed: KeyedStarts,
  ) {}

  @Mutation(() => WorkflowRunReceipt, {
    name: 'workflowRunStartGraph',
    description:
      'Runs a graph without storing a workflow. The same arguments again are answered with the first receipt; CONFLICT when the id is taken by another run. Needs the role editor in the project.',
  })
  start(
    @Ctx() context: RequestContext,
    @Arg('id', () => UUID, { description: 'The id that the run gets.' }) id: string,
    @Arg('data', () => JSONValue, { description: 'The graph, an object with `nodes` and `edges`.' }) data: unknown,
    @Arg('input', () => JSONValue, { nullable: true, description: 'Values by field id. Default: `{}`.' })
    input: unknown,
    @Arg('project', () => Int, {
      nullable: true,
      description:
        'The project that the run belongs to. Default: the oldest that the caller owns; a personal one is created when there is none.',
    })
    project: number | null | undefined,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
  ) {
    const given = { id, data, input, project };
    return this.keyed.once(context, key, ['workflowRunStartGraph', given], () =>
      this.runs.start(context.viewer, given),
    );
  }
}
