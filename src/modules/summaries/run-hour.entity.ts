import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../projects/project.js';

/** Number of ended runs of a workflow in one hour, by duration class (`duration-classes.ts`). The workflow id 0 stands for "none". */
export const RunHourEntity = defineEntity({
  name: 'RunHour',
  tableName: 'run_hour',
  properties: {
    project: () => p.manyToOne(Project).primary().deleteRule('cascade').foreignKeyName('run_hour_project_id_fkey'),
    hour: p.datetime(3).primary(),
    workflowId: p.integer().primary(),
    state: p.enum(['succeeded', 'failed', 'cancelled']).primary(),
    durationClass: p.integer().primary(),
    runs: p.integer(),
    costUsd: p.decimal().columnType('numeric'),
  },
});
