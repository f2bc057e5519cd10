import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../request-context.js';
import type { ResetEmailService } from '../reset-emails/reset-email.service.js';
import { SignInOptions } from './sign-in-options.type.js';

@Resolver(() => SignInOptions)
export class SignInOptionsResolver {
  constructor(private readonly resetEmails: ResetEmailService) {}

  @Query(() => SignInOptions, {
    name: 'signInOptions',
    description: 'How users can log in to this installation. Requires no credentials.',
  })
  options(): SignInOptions {
    return { isResetByEmailAvailable: this.resetEmails.isConfigured };
  }

  @PayloadMutation({
    returns: { isAccepted: () => Boolean },
    name: 'passwordResetRequest',
    description:
      'Requests an email with a link by which a user sets a new password once, within 60 minutes (`passwordReset`). Requires no credentials. The response is the same whether or not an active user with a password has the email. CONFLICT when no mail server is configured. RATE_LIMITED after 3 requests for one email within 15 minutes, and beyond `LOGIN_LIMIT_PER_MINUTE`.',
  })
  requestReset(
    @Ctx() { address, userAgent }: RequestContext,
    @Arg('email', () => String, { description: 'The email of the user; upper and lower case are equal.' })
    email: string,
  ) {
    return this.resetEmails.request(email, { address, userAgent });
  }
}
