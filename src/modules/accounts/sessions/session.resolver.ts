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
      'Logs in; needs no credentials. UNAUTHENTICATED when email or password is wrong, RATE_LIMITED after 10 wrong passwords for one email from one client address within 15 minutes, and beyond `LOGIN_LIMIT_PER_MINUTE`.',
  })
  create(
    @Ctx() { address }: RequestContext,
    @Arg('email', () => String, { description: 'The user’s email, in any case.' }) email: string,
    @Arg('password', () => String, { description: 'The user’s password.' }) password: string,
  ) {
    return this.sessions.create(email, password, address);
  }

  @Mutation(() => Session, {
    name: 'sessionRefresh',
    description:
      'Spends a refresh token and answers with new credentials; needs no others. UNAUTHENTICATED when it is expired or none; one that was spent before ends the session.',
  })
  refresh(@Arg('refresh', () => String, REFRESH) refresh: string) {
    return this.sessions.refresh(refresh);
  }

  @Mutation(() => Boolean, {
    name: 'sessionEnd',
    description: 'Logs out: every token of the session is refused from now on. True whatever is sent.',
  })
  end(@Arg('refresh', () => String, REFRESH) refresh: string) {
    return this.sessions.end(refresh);
  }

  @Mutation(() => PasswordChange, {
    name: 'passwordChange',
    description:
      'Changes the caller’s password and ends the caller’s other sessions. BAD_USER_INPUT when the current password is wrong, RATE_LIMITED after 10 wrong ones within 15 minutes.',
  })
  changePassword(
    @Ctx() { viewer }: RequestContext,
    @Arg('currentPassword', () => String, { description: 'The password until now.' }) currentPassword: string,
    @Arg('newPassword', () => String, { description: '8-1,024 characters.' }) newPassword: string,
    @Arg('revokeKeys', () => Boolean, {
      defaultValue: false,
      description: 'Whether the caller’s API keys are deleted as well, the one that is sent included.',
    })
    revokeKeys: boolean,
  ) {
    return this.passwords.change(viewer, { currentPassword, newPassword, revokeKeys });
  }
}
