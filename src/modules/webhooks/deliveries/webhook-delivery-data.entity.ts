import { defineEntity, p } from '@mikro-orm/core';

/** What a webhook tells its receiver. Written once, while the row of the delivery changes with each attempt. */
export const WebhookDeliveryDataEntity = defineEntity({
  name: 'WebhookDeliveryData',
  tableName: 'webhook_delivery_data',
  properties: {
    /** Without a foreign key: a trigger of `webhook_delivery` deletes these rows. */
    deliveryId: p.uuid().primary(),
    data: p.json<unknown>().columnType('json'),
  },
});
