import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import { PayloadMutation } from '../../../platform/graphql/payload-mutation.js';
import type { RequestContext } from '../request-context.js';
import type { PasswordChangeService } from '../users/password-change.service.js';
import type { PasswordResetService } from '../users/password-reset.service.js';
import type { SessionService } from './session.service.js';
import { PasswordChange, PasswordResetLink, Session } from './session.type.js';

const REFRESH = { description: 'The refresh token of a session.' };

@Resolver(() => Session)
export class SessionResolver {
  constructor(
    private readonly sessions: SessionService,
    private readonly passwords: PasswordChangeService,
    private readonly resets: PasswordResetService,
  ) {}

  @PayloadMutation({
    returns: { session: () => Session },
    name: 'sessionCreate',
    description:
      'Logs in with email and password. Requires no credentials. UNAUTHENTICATED when the email or the password is wrong. RATE_LIMITED after 10 wrong passwords for one email from one client address within 15 minutes, and beyond `LOGIN_LIMIT_PER_MINUTE`.',
  })
  create(
    @Ctx() { address, userAgent }: RequestContext,
    @Arg('email', () => String, { description: 'The email of the user; upper and lower case are equal.' })
    email: string,
    @Arg('password', () => String, { description: 'The password of the user.' }) password: string,
  ) {
    return this.sessions.create(email, password, { address, userAgent });
  }

  @PayloadMutation({
    returns: { session: () => Session },
    name: 'sessionCreateFromLink',
    description:
      'Logs in with the token of a sign-in link, which `npm run cli -- user sign-in-link` and the first start print. Requires no credentials. UNAUTHENTICATED when the token is invalid, used or older than 30 minutes. RATE_LIMITED beyond `LOGIN_LIMIT_PER_MINUTE`.',
  })
  createFromLink(
    @Ctx() { address, userAgent }: RequestContext,
    @Arg('token', () => String, { description: 'The part of the link after `#token=`. Accepted once.' }) token: string,
  ) {
    return this.sessions.createFromLink(token, { address, userAgent });
  }

  @PayloadMutation({
    returns: { session: () => Session },
    name: 'sessionRefresh',
    description:
      'Exchanges a refresh token for new credentials. Requires no other credentials. UNAUTHENTICATED when the token is expired, invalid or already used. The second use of a token ends the session.',
  })
  refresh(@Arg('refresh', () => String, REFRESH) refresh: string) {
    return this.sessions.refresh(refresh);
  }

  @PayloadMutation({
    returns: { isEnded: () => Boolean },
    name: 'sessionEnd',
    description:
      'Logs out: every token of the session is refused from now on. Always returns true, even for an invalid token.',
  })
  end(@Arg('refresh', () => String, REFRESH) refresh: string) {
    return this.sessions.end(refresh);
  }

  @PayloadMutation({
    returns: { passwordChange: () => PasswordChange },
    name: 'passwordChange',
    description:
      'Changes the password of the caller and ends all other sessions of the caller. BAD_USER_INPUT when the current password is wrong. RATE_LIMITED after 10 wrong passwords from one client address within 15 minutes.',
  })
  changePassword(
    @Ctx() { viewer }: RequestContext,
    @Arg('currentPassword', () => String, { description: 'The current password.' }) currentPassword: string,
    @Arg('newPassword', () => String, { description: 'The new password, 8-1,024 characters.' }) newPassword: string,
    @Arg('revokeKeys', () => Boolean, {
      defaultValue: false,
      description: 'Whether to delete all API keys of the caller, including the key of this request.',
    })
    revokeKeys: boolean,
  ) {
    return this.passwords.change(viewer, { currentPassword, newPassword, revokeKeys });
  }

  @PayloadMutation({
    returns: { link: () => PasswordResetLink },
    name: 'passwordResetLinkCreate',
    description:
      'Issues a link by which a user sets a new password once, within 24 hours. Earlier links of the user become invalid. CONFLICT when the user is disabled. Requires an administrator.',
  })
  createResetLink(
    @Ctx() { viewer }: RequestContext,
    @Arg('userId', () => Int, { description: 'The id of the user.' }) userId: number,
  ) {
    return this.resets.createLink(viewer, userId);
  }

  @PayloadMutation({
    returns: { session: () => Session },
    name: 'passwordReset',
    description:
      'Sets a new password with the token of a link of `passwordResetLinkCreate` (valid for 24 hours) or `passwordResetRequest` (60 minutes), ends all sessions of the user and logs in. Requires no credentials. UNAUTHENTICATED when the token is invalid, used or expired. RATE_LIMITED beyond `LOGIN_LIMIT_PER_MINUTE`.',
  })
  resetPassword(
    @Ctx() { address, userAgent }: RequestContext,
    @Arg('token', () => String, { description: 'The part of the link after `#token=`. Accepted once.' }) token: string,
    @Arg('newPassword', () => String, { description: 'The new password, 8-1,024 characters.' }) newPassword: string,
    @Arg('revokeKeys', () => Boolean, {
      defaultValue: false,
      description: 'Whether to delete all API keys of the user.',
    })
    revokeKeys: boolean,
  ) {
    return this.resets.reset(token, { newPassword, revokeKeys }, { address, userAgent });
  }
}
