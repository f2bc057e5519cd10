import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';

@ObjectType({ description: 'The credentials of a session. They cannot be read again later.' })
export class Session {
  @Field(() => String, { description: 'A JWT for the header `Authorization: Bearer`. Valid for 15 minutes.' })
  access!: string;

  @Field(() => String, {
    description: 'The refresh token for `sessionRefresh`. Valid once, within 30 days. A second use ends the session.',
  })
  refresh!: string;
}

@ObjectType({ description: 'The result of a password change.' })
export class PasswordChange {
  @Field(() => Int, { description: 'The number of deleted API keys. 0 unless `revokeKeys` is true.' })
  revokedKeys!: number;
}

@ObjectType({ description: 'A link by which a user sets a new password once. It cannot be read again later.' })
export class PasswordResetLink {
  @Field(() => String, {
    description:
      'The path of the console with the token, `/reset-password#token=…`. Append it to the address at which the user opens the console.',
  })
  path!: string;

  @Field(() => DateTime, { description: 'When the link expires: 24 hours after its creation.' })
  expiresAt!: Date;
}
