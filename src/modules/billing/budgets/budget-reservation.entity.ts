import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../accounts/users/user.js';
import { Project } from '../../projects/project.js';

/** The maximum cost of a call in progress, reserved against the limits of its project and user. */
export const BudgetReservationEntity = defineEntity({
  name: 'BudgetReservation',
  tableName: 'budget_reservation',
  properties: {
    id: p.uuid().primary(),
    project: () =>
      p.manyToOne(Project).nullable().deleteRule('cascade').foreignKeyName('budget_reservation_project_id_fkey'),
    /** The id of the workflow run that makes the call, the `billing_id` of another run, or a new id for a chat completion. */
    holder: p.uuid(),
    /** Reserved on the spending limit of the project. 0 without a limit. */
    amountUsd: p.decimal().columnType('numeric'),
    expiresAt: p.datetime(3),
    user: () => p.manyToOne(User).nullable().deleteRule('cascade').foreignKeyName('budget_reservation_user_id_fkey'),
    /** Reserved on the operator limit of the project. 0 without a limit. */
    projectServiceUsd: p.decimal().columnType('numeric').default('0'),
    /** Reserved on the operator limit of the user. 0 without a limit. */
    userServiceUsd: p.decimal().columnType('numeric').default('0'),
  },
  indexes: [
    { name: 'budget_reservation_by_expiry', properties: ['expiresAt'] },
    { name: 'budget_reservation_of_holder', properties: ['holder'] },
    { name: 'budget_reservation_of_project', properties: ['project'] },
    { name: 'budget_reservation_of_user', properties: ['user'], where: 'user_id is not null' },
  ],
});
