import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';

@ObjectType({ description: 'A new signing secret for the webhooks of a project.' })
export class WebhookSecret {
  @Field(() => String, {
    description: 'The secret: `whsec_` and 256 bits in Base64. It is returned only once.',
  })
  secret!: string;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the previous secret stops signing, 24 hours from now; null without a previous secret. Until then webhooks have a signature of each.',
  })
  previousExpiresAt!: Date | null;
}
