import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import type { Config } from '../../../platform/config/config.js';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import { OIDC_START_PATH } from '../oidc/paths.js';
import type { RequestContext } from '../request-context.js';
import type { ResetEmailService } from '../reset-emails/reset-email.service.js';
import { SignInOptions } from './sign-in-options.type.js';

@Resolver(() => SignInOptions)
export class SignInOptionsResolver {
  constructor(
    private readonly resetEmails: ResetEmailService,
    private readonly config: Pick<Config, 'oidc' | 'publicUrl'>,
  ) {}

  @Query(() => SignInOptions, {
    name: 'signInOptions',
    description: 'How users can log in to this installation. Requires no credentials.',
  })
  options(): SignInOptions {
    const { oidc, publicUrl } = this.config;
    return {
      isResetByEmailAvailable: this.resetEmails.isConfigured,
      oidc: oidc ? { name: oidc.name, startUrl: `${publicUrl}${OIDC_START_PATH}` } : null,
    };
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
