import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/users/user.js';
import { Project } from '../projects/project.js';

/** The ledger: one row for each charged operation of a run or a chat completion. */
export const BillingTransactionEntity = defineEntity({
  name: 'BillingTransaction',
  tableName: 'billing_transaction',
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    /** No foreign key: a trigger of `project` deletes these rows. See `ownersSql`. */
    project: () => p.manyToOne(Project).nullable().createForeignKeyConstraint(false),
    /** The id of a workflow run, the `billing_id` of another run, or the id of a chat completion. */
    runId: p.uuid(),
    /** Empty for a chat completion. */
    nodeId: p.text(),
    /** The iteration of a loop body. Empty outside of loops. */
    iteration: p.text().default(''),
    /** No foreign key: a trigger of `app_user` sets it to null. */
    user: () => p.manyToOne(User).nullable().createForeignKeyConstraint(false),
    operation: p.text(),
    status: p.enum(['Success', 'Error']),
    amountUsd: p.decimal().columnType('numeric'),
    reason: p.text().default(''),
    /** Null: the same as `operation`. */
    description: p.text().nullable().default(''),
    usage: p.json<unknown>().columnType('json').nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    /** The API key of a chat completion. */
    apiKeyId: p.integer().nullable(),
    /** The part of the amount that was paid with provider keys of the service. Null: none. */
    serviceUsd: p.decimal().columnType('numeric').nullable(),
  },
  indexes: [
    {
      name: 'billing_transaction_chat_of_project',
      properties: ['project', 'createdAt'],
      where: `(project_id is not null) and (operation = 'chat-completion')`,
    },
    {
      name: 'billing_transaction_chat_of_user',
      properties: ['user', 'createdAt'],
      where: `operation = 'chat-completion'`,
    },
    {
      name: 'billing_transaction_of_project',
      properties: ['project', 'createdAt'],
      where: 'project_id is not null',
    },
  ],
  uniques: [
    {
      name: 'billing_transaction_once',
      expression:
        'create unique index billing_transaction_once on billing_transaction (run_id, ledger_key(node_id, iteration, operation))',
    },
  ],
});
