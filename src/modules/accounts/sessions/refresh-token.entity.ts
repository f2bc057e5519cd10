import { defineEntity, p } from '@mikro-orm/core';
import { UserSessionEntity } from './user-session.entity.js';

/** Refresh tokens by their SHA-256 hash. Used tokens remain, so that a second use is detected. */
export const RefreshTokenEntity = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_token',
  properties: {
    hash: p.blob().$type<Buffer>().primary(),
    session: () => p.manyToOne(UserSessionEntity).deleteRule('cascade').foreignKeyName('refresh_token_session_id_fkey'),
    expiresAt: p.datetime(3),
    spentAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'refresh_token_by_expiry', properties: ['expiresAt'] },
    { name: 'refresh_token_of_session', properties: ['session'] },
  ],
});
