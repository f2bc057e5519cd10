import { defineEntity, p } from '@mikro-orm/core';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';

/** One attempt to deliver a webhook. */
export const WebhookAttemptEntity = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempt',
  properties: {
    delivery: () =>
      p
        .manyToOne(WebhookDeliveryEntity)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('webhook_attempt_delivery_id_fkey'),
    number: p.integer().primary(),
    at: p.datetime(3),
    status: p.integer().nullable(),
    error: p.text().nullable(),
    durationMs: p.integer(),
  },
});
