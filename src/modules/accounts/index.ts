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
import { AccessTokens } from './sessions/access-token.js';
import { AccountService } from './sessions/account.service.js';
import { RefreshTokenEntity } from './sessions/refresh-token.entity.js';
import { SessionResolver } from './sessions/session.resolver.js';
import { SessionService } from './sessions/session.service.js';
import { SessionRetention } from './sessions/session-retention.js';
import { SignInLinkEntity } from './sessions/sign-in-link.entity.js';
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
  resolvers: [SessionResolver, UserSessionResolver, UserResolver, ApiKeyResolver],
  create({ config, telemetry, database, vault, jwtSecret }) {
    const service = new AccountService(database);
    const sessions = new SessionService(database, new AccessTokens(jwtSecret), config.loginLimitPerMinute);
    const idempotencyKeys = new IdempotencyKeys(database, vault, telemetry.log);
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
        new UserSessionResolver(new UserSessionService(database)),
        new UserResolver(service.users),
        new ApiKeyResolver(service.keys),
      ],
      scheduledTasks: [
        { name: 'clearing sessions', cron: HOURLY, run: () => sessionRetention.run() },
        { name: 'clearing idempotency keys', cron: HOURLY, run: () => idempotencyKeys.expire() },
      ],
    };
  },
});
