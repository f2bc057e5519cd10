import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../accounts/users/user.js';
import { Project } from '../../projects/project.js';
import { KeywordRunStatus } from './keyword-run.js';

/** One search for keywords. Workers claim it under a lease. */
export const KeywordRunEntity = defineEntity({
  name: 'KeywordRun',
  tableName: 'keyword_run',
  properties: {
    id: p.integer().primary().autoincrement(),
    billingId: p.uuid().defaultRaw('gen_random_uuid()'),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('keyword_run_project_id_fkey'),
    user: () => p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('keyword_run_user_id_fkey'),
    topic: p.text().default(''),
    url: p.text().default(''),
    /** Not a foreign key: without its connection a run fails instead of sending the request without credentials. */
    connectionId: p.integer().nullable(),
    preset: p.integer(),
    doClusterize: p.boolean().default(false),
    status: p.enum(() => KeywordRunStatus).default(KeywordRunStatus.QUEUED),
    error: p.text().nullable(),
    costUsd: p.decimal().columnType('numeric').default('0'),
    /** All keywords that the run found, best first. `preset` decides how many of them exist as rows. */
    found: p.json<unknown>().columnType('json').defaultRaw(`'[]'`),
    attempts: p.integer().default(0),
    leaseToken: p.bigint('number').defaultRaw('0'),
    queuedAt: p.datetime(3).defaultRaw('now()'),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    startedAt: p.datetime(3).nullable(),
    finishedAt: p.datetime(3).nullable(),
  },
  indexes: [
    {
      name: 'keyword_run_alive',
      properties: ['status', 'queuedAt'],
      where: `status in ('created', 'in_progress')`,
    },
    { name: 'keyword_run_moved', properties: ['project', 'updatedAt'] },
    { name: 'keyword_run_of_project', properties: ['project', 'createdAt', 'id'] },
    { name: 'keyword_run_of_user', properties: ['user'] },
    { name: 'keyword_run_queued', properties: ['project', 'queuedAt', 'billingId'], where: `status = 'created'` },
  ],
  uniques: [{ name: 'keyword_run_billing_id_unique', properties: ['billingId'] }],
});
