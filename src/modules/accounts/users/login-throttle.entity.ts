import { defineEntity, p } from '@mikro-orm/core';

/** Wrong passwords, or requests for a link by email, in the current window. `LoginThrottle` counts them by several keys. */
export const LoginThrottleEntity = defineEntity({
  name: 'LoginThrottle',
  tableName: 'login_brake',
  properties: {
    /** A hash of the email, in most rows together with a client network or a purpose. */
    emailHash: p.blob().$type<Buffer>().primary(),
    attempts: p.integer(),
    windowEndsAt: p.datetime(3),
  },
  indexes: [{ name: 'login_brake_by_end', properties: ['windowEndsAt'] }],
});
