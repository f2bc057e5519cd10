import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'The OpenID Connect issuer at which users can sign in to the console.' })
export class OidcSignIn {
  @Field(() => String, { description: 'The name of the issuer (`OIDC_NAME`).' })
  name!: string;

  @Field(() => String, {
    description:
      'The address that a browser opens to sign in. The parameter `next` is the path of the console to open afterwards, at most 1,000 characters.',
  })
  startUrl!: string;
}

@ObjectType({ description: 'How users can log in to this installation.' })
export class SignInOptions {
  @Field(() => Boolean, {
    description: 'Whether `passwordResetRequest` sends emails: the operator has configured a mail server (`SMTP_URL`).',
  })
  isResetByEmailAvailable!: boolean;

  @Field(() => OidcSignIn, { nullable: true, description: 'The sign-in at an issuer. Null: none is configured.' })
  oidc!: OidcSignIn | null;
}
