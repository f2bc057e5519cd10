import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/users/user.js';
import { Project } from '../projects/project.js';
import { Scenario } from '../scenarios/scenario.js';
import { ScenarioRunStatus } from './scenario-run.js';

/** One execution of a scenario. Workers claim it under a lease. */
export const ScenarioRunEntity = defineEntity({
  name: 'ScenarioRun',
  tableName: 'scenario_run',
  properties: {
    id: p.integer().primary().autoincrement(),
    billingId: p.uuid(),
    scenario: () =>
      p.manyToOne(Scenario).nullable().deleteRule('set null').foreignKeyName('scenario_run_scenario_id_fkey'),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('scenario_run_project_id_fkey'),
    user: () => p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('scenario_run_user_id_fkey'),
    parentRunId: p.uuid().nullable(),
    status: p.enum(() => ScenarioRunStatus).default(ScenarioRunStatus.QUEUED),
    webhookUrl: p.text().default(''),
    doRunDefault: p.boolean().default(false),
    insertedVariables: p.json<unknown>().columnType('json').defaultRaw(`'[]'`),
    sequence: p.integer().default(0),
    attempts: p.integer().default(0),
    leaseToken: p.bigint('number').defaultRaw('0'),
    queuedAt: p.datetime(3).defaultRaw('now()'),
    workedMs: p.bigint('number').defaultRaw('0'),
    promptTokens: p.bigint('number').defaultRaw('0'),
    completionTokens: p.bigint('number').defaultRaw('0'),
    costUsd: p.decimal().columnType('numeric').default('0'),
    finalResult: p.text().nullable(),
    localVariables: p.json<unknown>().columnType('json').nullable(),
    processedMessages: p.json<unknown>().columnType('json').nullable(),
    error: p.json<unknown>().columnType('json').nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    startedAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
    traceparent: p.text().nullable(),
    expiredAt: p.datetime(3).nullable(),
  },
  indexes: [
    {
      name: 'scenario_run_alive',
      properties: ['status', 'queuedAt'],
      where: `status in ('created', 'in_progress')`,
    },
    { name: 'scenario_run_moved', properties: ['project', 'updatedAt'] },
    {
      name: 'scenario_run_of_parent',
      properties: ['parentRunId'],
      where: '(parent_run_id is not null) and (finished_at is null)',
    },
    { name: 'scenario_run_of_scenario', properties: ['scenario', 'createdAt', 'id'] },
    { name: 'scenario_run_project_history', properties: ['project', 'createdAt', 'id'] },
    { name: 'scenario_run_queued', properties: ['project', 'queuedAt', 'billingId'], where: `status = 'created'` },
    {
      name: 'scenario_run_to_expire',
      properties: ['updatedAt'],
      where: '(finished_at is not null) and (expired_at is null)',
    },
  ],
  uniques: [{ name: 'scenario_run_billing_id_unique', properties: ['billingId'] }],
});
