import { defineEntity, p } from '@mikro-orm/core';
import { ApiKey } from './api-key.js';

/** The request count of an API key in its current 60-second window. The table is unlogged: a crash may clear it. */
export const ApiKeyWindowEntity = defineEntity({
  name: 'ApiKeyWindow',
  tableName: 'api_key_window',
  properties: {
    apiKey: () =>
      p
        .manyToOne(ApiKey)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('api_key_window_api_key_id_fkey'),
    openedAt: p.datetime(6),
    /** Requests that count against the limit, with their cost. */
    used: p.integer(),
    /** Requests that the last statement granted. The upsert of `checkKeys` returns it. */
    granted: p.integer(),
  },
});
