import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.js';

/** A login of a user. */
export const UserSessionEntity = defineEntity({
  name: 'UserSession',
  tableName: 'user_session',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').foreignKeyName('user_session_user_id_fkey'),
    createdAt: p.datetime(3).defaultRaw('now()'),
    expiresAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
    address: p.text().nullable(),
    userAgent: p.text().nullable(),
  },
  indexes: [
    { name: 'user_session_by_expiry', properties: ['expiresAt'] },
    { name: 'user_session_of_user', properties: ['user'] },
  ],
});
