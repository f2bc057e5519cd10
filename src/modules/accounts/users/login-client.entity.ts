import { defineEntity, p } from '@mikro-orm/core';

/**
 * Pairs of an account and a client network from which it has logged in, as hashes. During an attack, `LoginThrottle`
 * limits all other clients more strictly.
 */
export const LoginClientEntity = defineEntity({
  name: 'LoginClient',
  tableName: 'login_client',
  properties: {
    clientHash: p.blob().$type<Buffer>().primary(),
    lastLoginAt: p.datetime(3),
  },
  indexes: [{ name: 'login_client_by_age', properties: ['lastLoginAt'] }],
});
