import { defineEntity, p } from '@mikro-orm/core';

/** Client networks from which an account has logged in before, by hash. */
export const LoginClientEntity = defineEntity({
  name: 'LoginClient',
  tableName: 'login_client',
  properties: {
    clientHash: p.blob().$type<Buffer>().primary(),
    lastLoginAt: p.datetime(3),
  },
  indexes: [{ name: 'login_client_by_age', properties: ['lastLoginAt'] }],
});
