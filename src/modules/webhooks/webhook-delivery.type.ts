import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';
import { WebhookEventType } from './webhook-event.js';

export enum WebhookDeliveryState {
  PENDING = 'pending',
  DELIVERED = 'delivered',
  FAILED = 'failed',
}
registerEnumType(WebhookDeliveryState, {
  name: 'WebhookDeliveryState',
  description: 'The state of a webhook delivery.',
  valuesConfig: {
    PENDING: { description: 'Waiting for the first or the next attempt.' },
    DELIVERED: { description: 'The receiver responded with a status from 200 to 299.' },
    FAILED: { description: 'Failed permanently. Only `webhookRedeliver` or a redrive sends it again.' },
  },
});

@ObjectType({ description: 'One attempt to send a webhook delivery.' })
export class WebhookAttempt {
  @Field(() => DateTime, { description: 'When the attempt started.' })
  at!: Date;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the response; null without a response.' })
  status!: number | null;

  @Field(() => String, { nullable: true, description: 'Why the attempt failed; null when it succeeded.' })
  error!: string | null;

  @Field(() => Int, { description: 'Duration in milliseconds, at most 15,000.' })
  durationMs!: number;
}

/** A delivery without its body and attempts, which are stored separately and loaded only when the query selects them. */
@ObjectType({
  description:
    'One webhook event for one receiver. Deleted after 30 days, or after RUN_RESULT_TTL_DAYS if that is less.',
})
export class WebhookDelivery {
  @Field(() => UUID, { description: 'Unique id. Every attempt sends it in the header `webhook-id`.' })
  id!: string;

  @Field(() => Int, { description: 'Id of the project.' })
  projectId!: number;

  /** Size of the body in bytes. A list includes bodies up to a total size. */
  bytes!: number;

  @Field(() => String, {
    description:
      'Receiver URL. The next attempt of a delivery to the project’s webhook uses the webhook URL of that time.',
  })
  url!: string;

  @Field(() => WebhookEventType, { description: 'Type of the event.' })
  type!: WebhookEventType;

  @Field(() => WebhookDeliveryState, { description: 'State of the delivery.' })
  state!: WebhookDeliveryState;

  @Field(() => DateTime, { nullable: true, description: 'When the next attempt is due; null unless pending.' })
  nextAt!: Date | null;

  @Field(() => DateTime, { description: 'When the event occurred.' })
  createdAt!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was delivered or failed permanently; null while pending.',
  })
  finishedAt!: Date | null;
}

@ObjectType({ description: 'One page of webhook deliveries.' })
export class WebhookDeliveryPage extends pageOf(WebhookDelivery) {}
