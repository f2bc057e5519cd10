import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { JSONValue } from '../../../platform/json/scalars.js';
import { IDEMPOTENCY_KEY } from '../../accounts/api-keys/idempotency-key-description.js';
import type { IdempotentStarts } from '../../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { RUN_START } from '../history/run-start.payload.js';
import { checkWait, MAX_WAIT_SECONDS, type RunWaiter } from '../history/run-waiter.js';
import { WorkflowRun } from '../history/workflow-run.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import { ENVIRONMENT, INPUT, INPUT_TEXT, RUNNABLE_REVISION, startOnce } from './run-start.js';

@Resolver(() => WorkflowRun)
export class SynchronousRunResolver {
  constructor(
    private readonly runs: WorkflowRunService,
    private readonly idempotentStarts: IdempotentStarts,
    private readonly waiter: RunWaiter,
  ) {}

  @PayloadMutation({
    ...RUN_START,
    name: 'workflowRunAndWait',
    description:
      'Runs a workflow like `workflowRunStart` and waits for the end of the run. Returns the run in the state that it has reached; after `waitSeconds` it continues. Requires the role editor.',
  })
  async runAndWait(
    @Ctx() context: RequestContext,
    @Arg('workflowId', () => Int, { description: 'Id of the workflow.' }) workflowId: number,
    @Arg('input', () => JSONValue, { nullable: true, description: `${INPUT} Default: \`{}\`.` }) input: unknown,
    @Arg('inputText', () => String, { nullable: true, description: INPUT_TEXT }) inputText: string | undefined,
    @Arg('waitSeconds', () => Int, { nullable: true, description: 'Longest wait in seconds, 0-60. Default: 60.' })
    waitSeconds: number | null | undefined,
    @Arg('idempotencyKey', () => String, {
      nullable: true,
      description: `${IDEMPOTENCY_KEY} A call of \`workflowRunStart\` with the same key and arguments counts too. Each repeated call waits.`,
    })
    key: string | null | undefined,
    @Arg('revisionNumber', () => Int, { nullable: true, description: RUNNABLE_REVISION })
    revisionNumber: number | null | undefined,
    @Arg('environment', () => String, { nullable: true, description: ENVIRONMENT })
    environment: string | null | undefined,
  ) {
    const seconds = checkWait(waitSeconds ?? MAX_WAIT_SECONDS);
    const { runs, idempotentStarts } = this;
    const start = { workflowId, input, inputText, draft: false, revisionNumber, environment };
    const receipt = await startOnce({ runs, idempotentStarts }, context, key, start);
    return this.waiter.waitForResult(context, receipt, seconds);
  }
}
