import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import { ApiKey } from './api-key.js';

@InputType({ description: 'A new API key.' })
export class ApiKeyCreateInput {
  @Field(() => String, { description: '1-255 characters.' })
  name!: string;

  @Field(() => DateTime, { nullable: true, description: 'In the future; null or absent: the key never expires.' })
  expiresAt?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Whose key it becomes; for administrators. Default: the caller’s.',
  })
  userId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Requests a minute, 0-1,000,000, 0 for unlimited; for administrators. Default: that of the service.',
  })
  rateLimit?: number | null;
}

@InputType({ description: 'Changes to an API key; what is left out stays.' })
export class ApiKeyUpdateInput {
  @Field(() => Int, {
    nullable: true,
    description: 'Requests a minute, 0-1,000,000, 0 for unlimited; null: the default of the service.',
  })
  rateLimit?: number | null;
}

@ObjectType({ description: 'One page of API keys.' })
export class ApiKeyPage extends pageOf(ApiKey) {}
