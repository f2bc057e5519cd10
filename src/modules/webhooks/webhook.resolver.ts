import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { PayloadMutation } from '../../platform/graphql/payload-mutation.js';
import { JSONValue, UUID } from '../../platform/json/scalars.js';
import { PageArguments } from '../../platform/lists/page.args.js';
import type { RequestContext } from '../accounts/request-context.js';
import type { WebhookService } from './webhook.service.js';
import { WebhookAttempt, WebhookDelivery, WebhookDeliveryPage, WebhookDeliveryState } from './webhook-delivery.type.js';
import type { WebhookLog } from './webhook-log.js';
import { WebhookSecret } from './webhook-secret.type.js';

@Resolver(() => WebhookDelivery)
export class WebhookResolver {
  constructor(
    private readonly webhooks: WebhookService,
    private readonly log: WebhookLog,
  ) {}

  @Query(() => WebhookDeliveryPage, {
    name: 'webhookDeliveries',
    description: 'The webhook deliveries of a project in the last 30 days, newest first. Requires the role admin.',
  })
  deliveries(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
    @Arg('state', () => WebhookDeliveryState, {
      nullable: true,
      description: 'Includes only deliveries in this state. Default: all states.',
    })
    state: WebhookDeliveryState | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.webhooks.deliveries(viewer, projectId, state ?? null, page);
  }

  @PayloadMutation({
    returns: { webhookSecret: () => WebhookSecret },
    name: 'webhookSecretRotate',
    description:
      'Creates a new signing secret for the webhooks of a project. The previous secret also signs for 24 hours; an older one expires immediately. Requires the role admin.',
  })
  rotateSecret(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
  ) {
    return this.webhooks.rotateSecret(viewer, projectId);
  }

  @PayloadMutation({
    returns: { webhookDelivery: () => WebhookDelivery },
    name: 'webhookTest',
    description:
      'Sends an event of the type `webhook.test` to the project’s webhook, even if it is disabled. BAD_USER_INPUT when the project has no `webhookUrl`. Requires the role admin.',
  })
  test(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'Id of the project.' }) projectId: number,
  ) {
    return this.webhooks.test(viewer, projectId);
  }

  @PayloadMutation({
    returns: { webhookDelivery: () => WebhookDelivery },
    name: 'webhookRedeliver',
    description:
      'Sends a delivery again with the same id and a new series of attempts, even if the webhook is disabled. For a pending delivery the next attempt becomes due now. NOT_FOUND when the caller cannot access it. Requires the role admin.',
  })
  redeliver(
    @Ctx() { viewer }: RequestContext,
    @Arg('id', () => UUID, { description: 'Id of the delivery.' }) id: string,
  ) {
    return this.webhooks.redeliver(viewer, id);
  }

  @FieldResolver(() => [WebhookAttempt], {
    description: 'The finished attempts, oldest first: at most 10, and at most 10 more for each redelivery.',
  })
  attempts(@Ctx() context: RequestContext, @Root() delivery: WebhookDelivery) {
    return this.log.attempts(context, delivery);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the page leaves out `body` because the page has reached its size limit.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() delivery: WebhookDelivery) {
    return !(await this.log.isComplete(context, delivery));
  }

  @FieldResolver(() => JSONValue, {
    description: 'The request body: an object with `type`, `timestamp` and `data`; `{}` when `isShortened` is true.',
  })
  body(@Ctx() context: RequestContext, @Root() delivery: WebhookDelivery) {
    return this.log.body(context, delivery);
  }
}
