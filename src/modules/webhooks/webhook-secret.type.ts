import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';

@ObjectType({ description: 'A new secret that the webhooks of a project are signed with.' })
export class WebhookSecret {
  @Field(() => String, {
    description: 'The secret: `whsec_` and 256 bits in Base64. Shown this once and never again.',
  })
  secret!: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Until when the secret before it signs along, 24 hours from now; null when there was none.',
  })
  previousExpiresAt!: Date | null;
}
