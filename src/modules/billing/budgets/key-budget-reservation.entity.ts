import { defineEntity, p } from '@mikro-orm/core';
import { ApiKey } from '../../accounts/api-keys/api-key.js';

/** The maximum cost of a call in progress, reserved against the budget of its API key. */
export const KeyBudgetReservationEntity = defineEntity({
  name: 'KeyBudgetReservation',
  tableName: 'key_budget_reservation',
  properties: {
    id: p.uuid().primary(),
    apiKey: () => p.manyToOne(ApiKey).deleteRule('cascade').foreignKeyName('key_budget_reservation_api_key_id_fkey'),
    amountUsd: p.decimal().columnType('numeric'),
    expiresAt: p.datetime(3),
  },
  indexes: [
    { name: 'key_budget_reservation_by_expiry', properties: ['expiresAt'] },
    { name: 'key_budget_reservation_of_key', properties: ['apiKey'] },
  ],
});
