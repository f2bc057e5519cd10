import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import { IDEMPOTENCY_KEY } from '../../accounts/api-keys/idempotency-key-description.js';
import type { IdempotentStarts } from '../../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { dataOf } from '../../workflows/graph/workflow-graph.js';
import { WorkflowGraphInput } from '../../workflows/graph/workflow-graph.type.js';
import type { GraphRunService } from '../admission/graph-run.service.js';
import { RUN_START } from '../history/run-start.payload.js';
import { ENVIRONMENT, environmentOf } from './run-start.js';

@Resolver()
export class GraphRunResolver {
  constructor(
    private readonly runs: GraphRunService,
    private readonly idempotentStarts: IdempotentStarts,
  ) {}

  @PayloadMutation({
    ...RUN_START,
    name: 'workflowRunStartGraph',
    description:
      'Runs a graph without storing a workflow. Repeating the call with the same arguments returns the first receipt. CONFLICT when another run has this id. Requires the role editor in the project.',
  })
  start(
    @Ctx() context: RequestContext,
    @Arg('id', () => UUID, { description: 'Id for the new run.' }) id: string,
    @Arg('data', () => JSONValue, {
      nullable: true,
      description: 'Graph: an object with `nodes` and `edges`. Required unless `graph` is given.',
    })
    data: unknown,
    @Arg('graph', () => WorkflowGraphInput, {
      nullable: true,
      description: 'The graph, typed. Not together with `data`.',
    })
    graph: WorkflowGraphInput | null | undefined,
    @Arg('input', () => JSONValue, { nullable: true, description: 'Values by field id. Default: `{}`.' })
    input: unknown,
    @Arg('projectId', () => Int, {
      nullable: true,
      description:
        'Id of the project of the run. Default: the oldest project that the caller owns. A personal project is created if the caller owns none.',
    })
    project: number | null | undefined,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
    @Arg('environment', () => String, { nullable: true, description: ENVIRONMENT })
    environment: string | null | undefined,
  ) {
    const chosen = dataOf({ data, graph }, {});
    if (chosen == null) throw new InvalidInputError({ data: ['This field is required.'] });
    const args = { id, data: chosen, input, project, ...environmentOf(environment) };
    return this.idempotentStarts.once(context, key, ['workflowRunStartGraph', args], () =>
      this.runs.start(context.viewer, args),
    );
  }
}
