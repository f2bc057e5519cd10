import { defineEntity, p } from '@mikro-orm/core';

/** Requests with an `Idempotency-Key`, and their sealed responses. */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    /** Has no foreign key, because retention deletes every row after 24 hours. */
    userId: p.integer().primary(),
    key: p.text().primary(),
    requestDigest: p.blob().$type<Buffer>(),
    /** The fencing token of the request that does the work. Null: the response is stored. */
    claim: p.uuid().nullable(),
    claimedUntil: p.datetime(3),
    /** The id that the object created by the request must have. */
    reservedId: p.uuid(),
    /** Null: the work is not finished. */
    sealedResponse: p.blob().$type<Buffer>().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [{ name: 'idempotency_key_by_age', properties: ['createdAt'] }],
});
