import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/users/user.js';
import { Project } from '../projects/project.js';
import { Workflow } from '../workflows/workflow.js';
import { WorkflowRevision } from '../workflows/workflow-revision.js';

/**
 * One execution of a graph. Its pg-boss job determines when it is due and which worker executes it; a run that has just
 * started may have none yet.
 */
export const WorkflowRunEntity = defineEntity({
  name: 'WorkflowRun',
  tableName: 'workflow_run',
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('workflow_run_project_id_fkey'),
    workflow: () =>
      p.manyToOne(Workflow).nullable().deleteRule('cascade').foreignKeyName('workflow_run_workflow_id_fkey'),
    revision: () => p.manyToOne(WorkflowRevision).deleteRule('cascade').foreignKeyName('workflow_run_revision_id_fkey'),
    user: () => p.manyToOne(User).nullable().deleteRule('set null').foreignKeyName('workflow_run_user_id_fkey'),
    state: p.enum(['draft', 'queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled']),
    /** Number of the last event in the journal. */
    sequence: p.integer().default(0),
    /** Claims since the last suspension. A claim whose worker returned the run to the queue is not counted. */
    attempts: p.integer().default(0),
    leaseToken: p.bigint('number').defaultRaw('0'),
    queuedAt: p.datetime(3).nullable(),
    /** US dollars charged up to the current claim. The cost so far is the sum with `runningCostUsd`: see `costSql`. */
    costUsd: p.decimal().columnType('numeric').default('0'),
    runningCostUsd: p.decimal().columnType('numeric').nullable(),
    /** Time of the last report without an end. Unlike `updatedAt` it has no index, so that such a report changes none. */
    recordedAt: p.datetime(3).nullable(),
    commissionUsd: p.decimal().columnType('numeric').default('0'),
    isApiRun: p.boolean().default(false),
    useInMarketplaceExample: p.boolean().default(false),
    useAsMarketplaceTemplate: p.boolean().default(false),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    runStartedAt: p.datetime(3).nullable(),
    runFinishedAt: p.datetime(3).nullable(),
    /** When a waiting run is due. Null: it has no due time. */
    wakeAt: p.datetime(3).nullable(),
    /** Number of awaited events that have occurred, such as decisions and ends of sub-runs. */
    signals: p.integer().default(0),
    workedMs: p.bigint('number').defaultRaw('0'),
    /** Number of the last update of an execution service. Null: none executes the run. */
    externalSequence: p.integer().nullable(),
    parentRun: () =>
      p
        .manyToOne(WorkflowRunEntity)
        .nullable()
        .deleteRule('set null')
        .foreignKeyName('workflow_run_parent_run_id_fkey'),
    ancestry: p.array(Number).columnType('integer[]').defaultRaw(`'{}'`),
    forkedFrom: () =>
      p
        .manyToOne(WorkflowRunEntity)
        .nullable()
        .deleteRule('set null')
        .foreignKeyName('workflow_run_forked_from_id_fkey'),
    /** Digest of the request of a run without a workflow. */
    graphDigest: p.blob().$type<Buffer>().nullable(),
    marketWorkflow: () =>
      p.manyToOne(Workflow).nullable().deleteRule('set null').foreignKeyName('workflow_run_market_workflow_id_fkey'),
    /** Fee of a marketplace copy in percent of the AI cost, and the free runs of each user. */
    runFee: p.integer().nullable(),
    freeRuns: p.integer().nullable(),
    traceparent: p.text().nullable(),
    /** No foreign key: this module does not own scenario runs. */
    scenarioRunId: p.integer().nullable(),
    /** Name of an environment of the project. Null: the default one. */
    environment: p.text().nullable(),
  },
  indexes: [
    { name: 'workflow_run_begun', properties: ['state'], where: `state in ('running', 'waiting')` },
    { name: 'workflow_run_examples', properties: ['workflow', 'createdAt', 'id'], where: 'use_in_marketplace_example' },
    { name: 'workflow_run_forks', properties: ['forkedFrom'], where: 'forked_from_id is not null' },
    { name: 'workflow_run_history_by_cost', properties: ['workflow', 'costUsd', 'id'] },
    { name: 'workflow_run_history_by_time', properties: ['workflow', 'createdAt', 'id'] },
    { name: 'workflow_run_moved', properties: ['project', 'updatedAt'] },
    { name: 'workflow_run_of_market', properties: ['marketWorkflow'], where: 'market_workflow_id is not null' },
    { name: 'workflow_run_of_parent', properties: ['parentRun'], where: 'parent_run_id is not null' },
    { name: 'workflow_run_of_revision', properties: ['revision'] },
    {
      name: 'workflow_run_of_scenario_run',
      properties: ['scenarioRunId', 'createdAt', 'id'],
      where: 'scenario_run_id is not null',
    },
    { name: 'workflow_run_project_history', properties: ['project', 'createdAt', 'id'] },
    { name: 'workflow_run_queued', properties: ['project', 'queuedAt', 'id'], where: `state = 'queued'` },
    {
      name: 'workflow_run_unsuccessful_by_cost',
      properties: ['workflow', 'costUsd', 'id'],
      where: `state in ('draft', 'failed', 'cancelled')`,
    },
    {
      name: 'workflow_run_unsuccessful_of_project',
      properties: ['project', 'createdAt', 'id'],
      where: `state in ('draft', 'failed', 'cancelled')`,
    },
    {
      name: 'workflow_run_unsuccessful_of_workflow',
      properties: ['workflow', 'createdAt', 'id'],
      where: `state in ('draft', 'failed', 'cancelled')`,
    },
  ],
  uniques: [{ name: 'workflow_run_template', properties: ['workflow'], where: 'use_as_marketplace_template' }],
});
