import { defineEntity, p } from '@mikro-orm/core';
import { ApiKey } from './api-key.js';

/** Requests of an API key in its present minute. Unlogged: a crash may lose it. */
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
    used: p.integer(),
    granted: p.integer(),
  },
});
