import { defineEntity, p } from '@mikro-orm/core';

/** Wrong passwords per account and client network in the present window, under hashes. */
export const LoginBrakeEntity = defineEntity({
  name: 'LoginBrake',
  tableName: 'login_brake',
  properties: {
    emailHash: p.blob().$type<Buffer>().primary(),
    attempts: p.integer(),
    windowEndsAt: p.datetime(3),
  },
  indexes: [{ name: 'login_brake_by_end', properties: ['windowEndsAt'] }],
});
