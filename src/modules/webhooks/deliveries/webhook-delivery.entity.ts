import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../../projects/project.js';

/** A webhook event for one receiver: pending, delivered or failed. */
export const WebhookDeliveryEntity = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('webhook_delivery_project_id_fkey'),
    url: p.text(),
    isToProject: p.boolean(),
    isAskedFor: p.boolean().default(false),
    type: p.text(),
    /** Set only in rows that are older than the table `webhook_delivery_data`. */
    body: p.json<unknown>().columnType('json').nullable(),
    state: p.enum(['pending', 'delivered', 'failed']).default('pending'),
    attempts: p.integer().default(0),
    failures: p.integer().default(0),
    nextAt: p.datetime(3).nullable().defaultRaw('now()'),
    createdAt: p.datetime(3).defaultRaw('now()'),
    finishedAt: p.datetime(3).nullable(),
    leaseToken: p.bigint('number').defaultRaw('0'),
    deliveredAt: p.datetime(3).nullable(),
    deliveredStatus: p.integer().nullable(),
    deliveredMs: p.integer().nullable(),
  },
  indexes: [
    {
      name: 'webhook_delivery_by_age',
      expression: `create index webhook_delivery_by_age on webhook_delivery using brin (created_at) with (pages_per_range='16')`,
    },
    { name: 'webhook_delivery_due_of_project', properties: ['project', 'nextAt'], where: `state = 'pending'` },
    { name: 'webhook_delivery_of_project', properties: ['project', 'createdAt', 'id'] },
  ],
  checks: [{ name: 'webhook_delivery_check', expression: `(state = 'pending') = (next_at IS NOT NULL)` }],
});
