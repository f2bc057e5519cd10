import { Arg, Mutation, Resolver } from 'type-graphql';
import type { SessionService } from './session.service.js';
import { Session } from './session.type.js';

const REFRESH = { description: 'The refresh token of a session.' };

@Resolver(() => Session)
export class SessionResolver {
  constructor(private readonly sessions: SessionService) {}

  @Mutation(() => Session, {
    name: 'sessionCreate',
    description:
      'Logs in; needs no credentials. UNAUTHENTICATED when email or password is wrong, RATE_LIMITED after 10 wrong passwords for one email within 15 minutes.',
  })
  create(
    @Arg('email', () => String, { description: 'The user’s email, in any case.' }) email: string,
    @Arg('password', () => String, { description: 'The user’s password.' }) password: string,
  ) {
    return this.sessions.create(email, password);
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
}
