import { defineEntity, p } from '@mikro-orm/core';

/** Settings that administrators change while the service runs, by name. */
export const ServiceSettingEntity = defineEntity({
  name: 'ServiceSetting',
  tableName: 'service_setting',
  properties: {
    name: p.text().primary(),
    value: p.json<unknown>(),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
