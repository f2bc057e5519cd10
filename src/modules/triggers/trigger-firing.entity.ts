import { defineEntity, p } from '@mikro-orm/core';
import { WorkflowTriggerEntity } from './workflow-trigger.entity.js';

export const FIRING_OUTCOMES = ['started', 'skipped', 'waiting', 'refused', 'rejected'] as const;
export type FiringOutcome = (typeof FIRING_OUTCOMES)[number];

/** The outcome of an occurrence or a call of a trigger, with the reason if no run was started. */
export const TriggerFiringEntity = defineEntity({
  name: 'TriggerFiring',
  tableName: 'trigger_firing',
  properties: {
    id: p.uuid().primary(),
    trigger: () =>
      p.manyToOne(WorkflowTriggerEntity).deleteRule('cascade').foreignKeyName('trigger_firing_trigger_id_fkey'),
    outcome: p.enum([...FIRING_OUTCOMES]).$type<FiringOutcome>(),
    /** The time of the schedule. Null for a call. */
    dueAt: p.datetime(3).nullable(),
    runId: p.uuid().nullable(),
    reason: p.text().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'trigger_firing_by_age', properties: ['createdAt'] },
    { name: 'trigger_firing_of_trigger', properties: ['trigger', 'createdAt', 'id'] },
  ],
});
