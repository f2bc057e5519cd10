import { defineEntity, p } from '@mikro-orm/core';

/** The number of wrong passwords in the current window. The key is a hash of an account and a client network. */
export const LoginThrottleEntity = defineEntity({
  name: 'LoginThrottle',
  tableName: 'login_brake',
  properties: {
    emailHash: p.blob().$type<Buffer>().primary(),
    attempts: p.integer(),
    windowEndsAt: p.datetime(3),
  },
  indexes: [{ name: 'login_brake_by_end', properties: ['windowEndsAt'] }],
});
