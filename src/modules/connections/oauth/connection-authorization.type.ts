import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'A begun authorization of an OAuth 2 connection.' })
export class ConnectionAuthorization {
  @Field(() => String, { description: 'The address that the user opens in a browser.' })
  authorizationUrl!: string;

  @Field(() => DateTime, { description: 'Until when it can be completed: ten minutes after its start.' })
  expiresAt!: Date;
}
