import { defineEntity, p } from '@mikro-orm/core';

/** The payload of a delivery. It is written once, whereas the row of the delivery changes with each attempt. */
export const WebhookDeliveryDataEntity = defineEntity({
  name: 'WebhookDeliveryData',
  tableName: 'webhook_delivery_data',
  properties: {
    /** Has no foreign key: a trigger on `webhook_delivery` deletes these rows. */
    deliveryId: p.uuid().primary(),
    data: p.json<unknown>().columnType('json'),
  },
});
