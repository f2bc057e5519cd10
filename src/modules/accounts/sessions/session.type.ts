import { Field, Int, ObjectType } from 'type-graphql';

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
