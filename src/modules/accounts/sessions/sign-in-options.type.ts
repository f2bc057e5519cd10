import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'How users can log in to this installation.' })
export class SignInOptions {
  @Field(() => Boolean, {
    description: 'Whether `passwordResetRequest` sends emails: the operator has configured a mail server (`SMTP_URL`).',
  })
  isResetByEmailAvailable!: boolean;
}
