import type { Table } from '../../platform/database/typed-queries.js';
import type { ApiKey } from './api-keys/api-key.js';
import type { ApiKeyWindowEntity } from './api-keys/api-key-window.entity.js';
import type { IdempotencyKeyEntity } from './api-keys/idempotency-key.entity.js';
import type { AuditEntryEntity } from './audit-entry.entity.js';
import type { RefreshTokenEntity } from './sessions/refresh-token.entity.js';
import type { SignInLinkEntity } from './sessions/sign-in-link.entity.js';
import type { UserSessionEntity } from './sessions/user-session.entity.js';
import type { LoginClientEntity } from './users/login-client.entity.js';
import type { LoginThrottleEntity } from './users/login-throttle.entity.js';
import type { User } from './users/user.js';

/** Tables that the module's queries use. */
export interface AccountTables {
  app_user: Table<User>;
  api_key: Table<ApiKey>;
  audit_entry: Table<typeof AuditEntryEntity>;
  user_session: Table<typeof UserSessionEntity>;
  refresh_token: Table<typeof RefreshTokenEntity>;
  sign_in_link: Table<typeof SignInLinkEntity>;
  login_brake: Table<typeof LoginThrottleEntity>;
  login_client: Table<typeof LoginClientEntity>;
  api_key_window: Table<typeof ApiKeyWindowEntity>;
  idempotency_key: Table<typeof IdempotencyKeyEntity>;
}
