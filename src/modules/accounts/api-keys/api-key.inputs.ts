import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import { ApiKey } from './api-key.js';

@InputType({ description: 'A new API key.' })
export class ApiKeyCreateInput {
  @Field(() => String, { description: 'The name of the key, 1-255 characters, for example `CI pipeline`.' })
  name!: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the key expires; must be in the future. Null or absent: the key never expires.',
  })
  expiresAt?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The user who gets the key. Default: the caller. Another user requires an administrator.',
  })
  userId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Requests per minute, 0-1,000,000; 0 means unlimited. Default: the limit of the service. Requires an administrator.',
  })
  rateLimit?: number | null;
}

@InputType({ description: 'Changes to an API key. Absent fields keep their values.' })
export class ApiKeyUpdateInput {
  @Field(() => Int, {
    nullable: true,
    description: 'Requests per minute, 0-1,000,000; 0 means unlimited. Null: the default of the service.',
  })
  rateLimit?: number | null;
}

@ObjectType({ description: 'One page of API keys.' })
export class ApiKeyPage extends pageOf(ApiKey) {}
