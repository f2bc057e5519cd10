import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
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
    description:
      'What a project’s webhooks told, or tried to, in the last 30 days, newest first. Needs the role admin.',
  })
  deliveries(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The project.' }) projectId: number,
    @Arg('state', () => WebhookDeliveryState, { nullable: true, description: 'Only those in this state.' })
    state: WebhookDeliveryState | null,
    @Args(() => PageArguments) page: PageArguments,
  ) {
    return this.webhooks.deliveries(viewer, projectId, state ?? null, page);
  }

  @Mutation(() => WebhookSecret, {
    name: 'webhookSecretRotate',
    description:
      'Makes a new secret for the signatures of a project’s webhooks. For 24 hours the one before it signs along, an older one ends at once. Needs the role admin.',
  })
  rotateSecret(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The project.' }) projectId: number,
  ) {
    return this.webhooks.rotateSecret(viewer, projectId);
  }

  @Mutation(() => WebhookDelivery, {
    name: 'webhookTest',
    description:
      'Sends an event of the type `webhook.test` to the project’s webhook, switched on or not. BAD_USER_INPUT when the project has no `webhookUrl`. Needs the role admin.',
  })
  test(
    @Ctx() { viewer }: RequestContext,
    @Arg('projectId', () => Int, { description: 'The project.' }) projectId: number,
  ) {
    return this.webhooks.test(viewer, projectId);
  }

  @Mutation(() => WebhookDelivery, {
    name: 'webhookRedeliver',
    description:
      'Sends a delivery again under the same id, with a new series of attempts, the webhook switched on or not. Of one that is pending the next attempt is made now. NOT_FOUND when it is not the caller’s. Needs the role admin.',
  })
  redeliver(@Ctx() { viewer }: RequestContext, @Arg('id', () => UUID, { description: 'The delivery.' }) id: string) {
    return this.webhooks.redeliver(viewer, id);
  }

  @FieldResolver(() => [WebhookAttempt], {
    description: 'The attempts that ended, oldest first; at most 10, and as many again each time it is asked for.',
  })
  attempts(@Ctx() context: RequestContext, @Root() delivery: WebhookDelivery) {
    return this.log.attempts(context, delivery);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a list left out its payloads because they do not fit into the page with those of the items before it; read alone it has them.',
  })
  async isShortened(@Ctx() context: RequestContext, @Root() delivery: WebhookDelivery) {
    return !(await this.log.isWhole(context, delivery));
  }

  @FieldResolver(() => JSONValue, {
    description: 'What is sent: `type`, `timestamp` and `data`; `{}` where it is shortened.',
  })
  body(@Ctx() context: RequestContext, @Root() delivery: WebhookDelivery) {
    return this.log.body(context, delivery);
  }
}
