import { defineEntity, p } from '@mikro-orm/core';
import { Workflow } from './workflow.js';

/**
 * Statistics of the runs of a workflow. Every workflow has a row, which a database trigger inserts. The statement that ends a
 * run updates it.
 */
export const WorkflowFiguresEntity = defineEntity({
  name: 'WorkflowFigures',
  tableName: 'workflow_figures',
  properties: {
    workflow: () =>
      p
        .manyToOne(Workflow)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('workflow_figures_workflow_id_fkey'),
    /** Copied from the workflow by a database trigger, for the indexes of the marketplace. */
    isPublished: p.boolean().default(false),
    runsCount: p.integer().default(0),
    durationMs: p.bigint('number').defaultRaw('0'),
    totalCostUsd: p.decimal().columnType('numeric').default('0'),
    lastRunId: p.uuid().nullable(),
    lastRunAt: p.datetime(3).nullable(),
    /** Users who copied the workflow, and all its runs with those of its copies. */
    marketUsersCount: p.integer().default(0),
    marketRunsCount: p.integer().default(0),
    marketCostUsd: p.decimal().columnType('numeric').default('0'),
    marketLastRunAt: p.datetime(3).nullable(),
    /** The part of the market figures that belongs to runs that were deleted with their projects. */
    goneRunsCount: p.integer().default(0),
    goneCostUsd: p.decimal().columnType('numeric').default('0'),
  },
  indexes: [
    {
      name: 'workflow_figures_by_cost',
      columns: [
        { name: 'marketCostUsd', sort: 'desc' },
        { name: 'workflow', sort: 'desc' },
      ],
      where: 'is_published',
    },
    {
      name: 'workflow_figures_by_run',
      columns: [
        { name: 'marketLastRunAt', sort: 'desc', nulls: 'last' },
        { name: 'workflow', sort: 'desc' },
      ],
      where: 'is_published',
    },
    {
      name: 'workflow_figures_catalog_by_cost',
      columns: [
        { name: 'totalCostUsd', sort: 'desc' },
        { name: 'workflow', sort: 'desc' },
      ],
    },
    {
      name: 'workflow_figures_catalog_by_run',
      columns: [
        { name: 'lastRunAt', sort: 'desc', nulls: 'last' },
        { name: 'workflow', sort: 'desc' },
      ],
    },
  ],
});
