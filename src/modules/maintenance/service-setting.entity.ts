import { defineEntity, p } from '@mikro-orm/core';

/** A setting that administrators can change at runtime. */
export const ServiceSettingEntity = defineEntity({
  name: 'ServiceSetting',
  tableName: 'service_setting',
  properties: {
    name: p.text().primary(),
    value: p.json<unknown>(),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
});
