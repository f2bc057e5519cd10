import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../request-context.js';
import type { PasswordChangeService } from '../users/password-change.service.js';
import type { SessionService } from './session.service.js';
import { PasswordChange, Session } from './session.type.js';

const REFRESH = { description: 'The refresh token of a session.' };

@Resolver(() => Session)
export class SessionResolver {
  constructor(
    private readonly sessions: SessionService,
    private readonly passwords: PasswordChangeService,
  ) {}

  @Mutation(() => Session, {
    name: 'sessionCreate',
    description:
      'Logs in with email and password. Requires no credentials. UNAUTHENTICATED when the email or the password is wrong. RATE_LIMITED after 10 wrong passwords for one email from one client address within 15 minutes, and beyond `LOGIN_LIMIT_PER_MINUTE`.',
  })
  create(
    @Ctx() { address }: RequestContext,
    @Arg('email', () => String, { description: 'The email of the user; upper and lower case are equal.' })
    email: string,
    @Arg('password', () => String, { description: 'The password of the user.' }) password: string,
  ) {
    return this.sessions.create(email, password, address);
  }

  @Mutation(() => Session, {
    name: 'sessionRefresh',
    description:
      'Exchanges a refresh token for new credentials. Requires no other credentials. UNAUTHENTICATED when the token is expired, invalid or already used. The second use of a token ends the session.',
  })
  refresh(@Arg('refresh', () => String, REFRESH) refresh: string) {
    return this.sessions.refresh(refresh);
  }

  @Mutation(() => Boolean, {
    name: 'sessionEnd',
    description:
      'Logs out: every token of the session is refused from now on. Always returns true, even for an invalid token.',
  })
  end(@Arg('refresh', () => String, REFRESH) refresh: string) {
    return this.sessions.end(refresh);
  }

  @Mutation(() => PasswordChange, {
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
}
