import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../users/user.js';

/** Requests with an `Idempotency-Key`, and their sealed responses. */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    user: () =>
      p
        .manyToOne(User)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('idempotency_key_user_id_fkey'),
    key: p.text().primary(),
    requestDigest: p.blob().$type<Buffer>(),
    claim: p.uuid(),
    claimedUntil: p.datetime(3),
    reservedId: p.uuid(),
    sealedResponse: p.blob().$type<Buffer>().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [{ name: 'idempotency_key_by_age', properties: ['createdAt'] }],
});
