import { HOURLY } from '../../durable/scheduled-tasks.js';
import { defineModule, type Infrastructure } from '../module.js';
import { AccountService } from './account.service.js';
import { ApiKey } from './api-keys/api-key.js';
import { ApiKeyResolver } from './api-keys/api-key.resolver.js';
import { ApiKeyWindowEntity } from './api-keys/api-key-window.entity.js';
import { IdempotencyKeyEntity } from './api-keys/idempotency-key.entity.js';
import { IdempotencyKeys } from './api-keys/idempotency-keys.js';
import { IdempotentStarts } from './api-keys/idempotent-starts.js';
import { KeyAuthenticator } from './api-keys/key-authenticator.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { OIDC_CALLBACK_PATH } from './oidc/paths.js';
import { RESET_EMAIL_JOBS, RESET_EMAIL_QUEUE, ResetEmailJob } from './reset-emails/reset-email.job.js';
import { ResetEmailService } from './reset-emails/reset-email.service.js';
import { AccessTokens } from './sessions/access-token.js';
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
import { HashingQueue } from './users/hashing-queue.js';
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
  create(infrastructure) {
    const { config, telemetry, database, queue, vault, jwtSecret, trustedEmail: sender } = infrastructure;
    const service = new AccountService(database);
    const hashing = new HashingQueue(telemetry.metrics.slotGauge('password'));
    const sessions = new SessionService(database, new AccessTokens(jwtSecret), hashing, config.loginLimitPerMinute);
    const idempotencyKeys = new IdempotencyKeys(database, vault, telemetry.log);
    const resetEmails = new ResetEmailService(database, queue, sessions, config.mail !== undefined);
    const resetEmailJob = new ResetEmailJob({ database, queue, sender, config, log: telemetry.log });
    const sessionRetention = new SessionRetention(database);
    const oidc = createOidcSignIn(infrastructure, sessions, service);
    return {
      services: {
        oidc,
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
          new PasswordChangeService(database, hashing),
          new PasswordResetService(database, sessions),
        ),
        new SignInOptionsResolver(resetEmails, config),
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
        {
          name: 'scenarium_oidc_sign_ins_total',
          help: 'Sign-ins at the OpenID Connect issuer that returned, by outcome: signed_in or the problem.',
          labels: ['outcome'],
          isCounter: true,
          read: () => oidc?.outcomes.samples() ?? [],
        },
      ],
      scheduledTasks: [
        { name: 'clearing sessions', cron: HOURLY, run: () => sessionRetention.run() },
        { name: 'clearing idempotency keys', cron: HOURLY, run: () => idempotencyKeys.expire() },
      ],
    };
  },
});

function createOidcSignIn(
  { config, database, vault, telemetry, openIdConnect: issuer }: Infrastructure,
  sessions: SessionService,
  { users }: AccountService,
): OidcSignInService | null {
  if (!config.oidc || !issuer) return null;
  const parts = { settings: config.oidc, issuer, redirectUrl: `${config.publicUrl}${OIDC_CALLBACK_PATH}` };
  return new OidcSignInService({ ...parts, database, vault, sessions, users, log: telemetry.log });
}
