import { defineEntity, p } from '@mikro-orm/core';

/** The number of wrong passwords per account and client network in the current window, by hash. */
export const LoginThrottleEntity = defineEntity({
  name: 'LoginBrake',
  tableName: 'login_brake',
  properties: {
    emailHash: p.blob().$type<Buffer>().primary(),
    attempts: p.integer(),
    windowEndsAt: p.datetime(3),
  },
  indexes: [{ name: 'login_brake_by_end', properties: ['windowEndsAt'] }],
});
