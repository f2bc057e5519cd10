import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { JSONValue } from '../../../platform/json/scalars.js';
import { IDEMPOTENCY_KEY } from '../../accounts/api-keys/idempotency-key-description.js';
import type { IdempotentStarts } from '../../accounts/api-keys/idempotent-starts.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { KEPT_MINUTES } from './event-retention.js';
import { MAX_KEPT_EVENTS, type WorkflowEventService } from './workflow-event.service.js';
import { WorkflowEvent } from './workflow-event.type.js';

@Resolver(() => WorkflowEvent)
export class WorkflowEventResolver {
  constructor(
    private readonly events: WorkflowEventService,
    private readonly idempotentStarts: IdempotentStarts,
  ) {}

  @PayloadMutation({
    returns: { event: () => WorkflowEvent },
    name: 'workflowEventSend',
    description: `Sends an event to the runs of a project. Each run with a wait node for the name and the correlation key receives it once, also a run whose wait begins within ${KEPT_MINUTES} minutes if the node accepts earlier events. RATE_LIMITED above ${MAX_KEPT_EVENTS} events within ${KEPT_MINUTES} minutes. Requires the role editor.`,
  })
  send(
    @Ctx() context: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
    @Arg('name', () => String, { description: 'Name of the event, 1-200 characters.' }) name: string,
    @Arg('correlationKey', () => String, {
      nullable: true,
      description: 'Text that selects the waits, at most 500 characters. Default: the empty text.',
    })
    correlationKey: string | null,
    @Arg('payload', () => JSONValue, {
      nullable: true,
      description:
        'Any value of at most 262,144 characters as JSON, which becomes the content of the node. Default: null.',
    })
    payload: unknown,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key: string | null | undefined,
  ) {
    const input = { name, correlationKey: correlationKey ?? null, payload };
    return this.idempotentStarts.once(context, key, ['workflowEventSend', { projectId, ...input }], reservedId =>
      this.events.send(context.viewer, projectId, input, reservedId),
    );
  }
}
