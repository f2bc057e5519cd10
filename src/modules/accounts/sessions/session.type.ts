import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'The credentials of a session. Neither is shown again.' })
export class Session {
  @Field(() => String, { description: 'A JWT for `Authorization: Bearer`; lives 15 minutes.' })
  access!: string;

  @Field(() => String, {
    description: 'Opens the session anew, once, within 30 days. Used a second time it ends the session.',
  })
  refresh!: string;
}

@ObjectType({ description: 'What a change of the password has ended beside the other sessions.' })
export class PasswordChange {
  @Field(() => Int, { description: 'API keys that were deleted; 0 unless it was asked for.' })
  revokedKeys!: number;
}
