import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';

export enum WebhookDeliveryState {
  PENDING = 'pending',
  DELIVERED = 'delivered',
  FAILED = 'failed',
}
registerEnumType(WebhookDeliveryState, {
  name: 'WebhookDeliveryState',
  description: 'What has become of a delivery.',
  valuesConfig: {
    PENDING: { description: 'Waits for its first attempt, or for the next one.' },
    DELIVERED: { description: 'The receiver answered with a status from 200 to 299.' },
    FAILED: { description: 'It is not tried any more, unless somebody asks for it.' },
  },
});

@ObjectType({ description: 'One attempt to deliver.' })
export class WebhookAttempt {
  @Field(() => DateTime, { description: 'When it began.' })
  at!: Date;

  @Field(() => Int, { nullable: true, description: 'The HTTP status of the answer; null when there was none.' })
  status!: number | null;

  @Field(() => String, { nullable: true, description: 'Why it failed; null when it did not.' })
  error!: string | null;

  @Field(() => Int, { description: 'How long it took, in milliseconds; 15,000 at most.' })
  durationMs!: number;
}

/** A delivery as lists read it: the body and the attempts lie apart and are read only when asked for. */
@ObjectType({ description: 'One event on its way to one receiver. Kept for 30 days.' })
export class WebhookDelivery {
  @Field(() => UUID, { description: 'Unique; the header `webhook-id`, the same in every attempt.' })
  id!: string;

  @Field(() => Int, { description: 'The project it belongs to.' })
  projectId!: number;

  /** Length of the body, which lies apart: a list shows as many bodies as fit. */
  bytes!: number;

  @Field(() => String, {
    description: 'Where it goes. The next attempt of one to the project’s webhook goes to where that points then.',
  })
  url!: string;

  @Field(() => String, { description: 'The type of the event, for example `workflow_run.succeeded`.' })
  type!: string;

  @Field(() => WebhookDeliveryState, { description: 'What has become of it.' })
  state!: WebhookDeliveryState;

  @Field(() => DateTime, { nullable: true, description: 'When it is tried next; null when it is not.' })
  nextAt!: Date | null;

  @Field(() => DateTime, { description: 'When the event happened.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it was delivered or given up; null while pending.' })
  finishedAt!: Date | null;
}

@ObjectType({ description: 'One page of webhook deliveries.' })
export class WebhookDeliveryPage extends pageOf(WebhookDelivery) {}
