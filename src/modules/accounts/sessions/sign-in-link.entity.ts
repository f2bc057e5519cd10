import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.js';

/** Links that log a user in once, by the SHA-256 hash of their token. A used link has no row. */
export const SignInLinkEntity = defineEntity({
  name: 'SignInLink',
  tableName: 'sign_in_link',
  properties: {
    hash: p.blob().$type<Buffer>().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade').foreignKeyName('sign_in_link_user_id_fkey'),
    expiresAt: p.datetime(3),
    /** Whether the user sets a new password. Such a link opens no session without one. */
    resetsPassword: p.boolean().default(false),
  },
  indexes: [
    { name: 'sign_in_link_by_expiry', properties: ['expiresAt'] },
    { name: 'sign_in_link_of_user', properties: ['user'] },
  ],
});
