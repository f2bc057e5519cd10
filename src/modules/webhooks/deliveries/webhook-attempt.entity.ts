import { defineEntity, p } from '@mikro-orm/core';

/** One attempt to deliver a webhook. */
export const WebhookAttemptEntity = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempt',
  properties: {
    /** Has no foreign key: a trigger on `webhook_delivery` deletes these rows. */
    deliveryId: p.uuid().primary(),
    number: p.integer().primary(),
    at: p.datetime(3),
    status: p.integer().nullable(),
    error: p.text().nullable(),
    durationMs: p.integer(),
  },
});
