import { HOURLY } from '../../durable/scheduled-tasks.js';
import { defineModule } from '../module.js';
import { ApiKey } from './api-keys/api-key.js';
import { ApiKeyResolver } from './api-keys/api-key.resolver.js';
import { ApiKeyWindowEntity } from './api-keys/api-key-window.entity.js';
import { IdempotencyKeyEntity } from './api-keys/idempotency-key.entity.js';
import { IdempotencyKeys } from './api-keys/idempotency-keys.js';
import { IdempotentStarts } from './api-keys/idempotent-starts.js';
import { KeyAuthenticator } from './api-keys/key-authenticator.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { RESET_EMAIL_JOBS, RESET_EMAIL_QUEUE, ResetEmailJob } from './reset-emails/reset-email.job.js';
import { ResetEmailService } from './reset-emails/reset-email.service.js';
import { AccessTokens } from './sessions/access-token.js';
import { AccountService } from './sessions/account.service.js';
import { RefreshTokenEntity } from './sessions/refresh-token.entity.js';
import { SessionResolver } from './sessions/session.resolver.js';
import { SessionService } from './sessions/session.service.js';
import { SessionRetention } from './sessions/session-retention.js';
import { SignInLinkEntity } from './sessions/sign-in-link.entity.js';
import { SignInOptionsResolver } from './sessions/sign-in-options.resolver.js';
import { UserSessionEntity } from './sessions/user-session.entity.js';
import { UserSessionResolver } from './sessions/user-session.resolver.js';
import { UserSessionService } from './sessions/user-session.service.js';
import { AddressLimit } from './users/address-limit.js';
import { LoginClientEntity } from './users/login-client.entity.js';
import { LoginThrottleEntity } from './users/login-throttle.entity.js';
import { PasswordChangeService } from './users/password-change.service.js';
import { PasswordResetService } from './users/password-reset.service.js';
import { User } from './users/user.js';
import { UserResolver } from './users/user.resolver.js';

export const accounts = defineModule({
  name: 'accounts',
  needs: {},
  entities: [
    User,
    ApiKey,
    ApiKeyWindowEntity,
    AuditEntryEntity,
    IdempotencyKeyEntity,
    LoginThrottleEntity,
    LoginClientEntity,
    RefreshTokenEntity,
    SignInLinkEntity,
    UserSessionEntity,
  ],
  resolvers: [SessionResolver, SignInOptionsResolver, UserSessionResolver, UserResolver, ApiKeyResolver],
  queues: { [RESET_EMAIL_QUEUE]: RESET_EMAIL_JOBS },
  create({ config, telemetry, database, queue, vault, jwtSecret, trustedEmail: sender }) {
    const service = new AccountService(database);
    const sessions = new SessionService(database, new AccessTokens(jwtSecret), config.loginLimitPerMinute);
    const idempotencyKeys = new IdempotencyKeys(database, vault, telemetry.log);
    const resetEmails = new ResetEmailService(database, queue, sessions, config.mail !== undefined);
    const resetEmailJob = new ResetEmailJob({ database, queue, sender, config, log: telemetry.log });
    const sessionRetention = new SessionRetention(database);
    return {
      services: {
        accounts: service,
        sessions,
        idempotencyKeys,
        idempotentStarts: new IdempotentStarts(idempotencyKeys),
        keyAuthenticator: new KeyAuthenticator(database, config.rateLimitPerMinute),
        anonymousLimit: new AddressLimit(config.anonymousLimitPerMinute),
      },
      resolvers: [
        new SessionResolver(
          sessions,
          new PasswordChangeService(database),
          new PasswordResetService(database, sessions),
        ),
        new SignInOptionsResolver(resetEmails),
        new UserSessionResolver(new UserSessionService(database)),
        new UserResolver(service.users),
        new ApiKeyResolver(service.keys),
      ],
      jobs: [resetEmailJob],
      metrics: [
        {
          name: 'scenarium_password_reset_emails_total',
          help: 'Requests for an email with a link for a new password, by outcome: sent, no_account or failed.',
          labels: ['outcome'],
          isCounter: true,
          read: () => resetEmailJob.outcomes.samples(),
        },
      ],
      scheduledTasks: [
        { name: 'clearing sessions', cron: HOURLY, run: () => sessionRetention.run() },
        { name: 'clearing idempotency keys', cron: HOURLY, run: () => idempotencyKeys.expire() },
      ],
    };
  },
});
