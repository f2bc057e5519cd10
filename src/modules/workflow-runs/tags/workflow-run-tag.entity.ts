import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../../projects/project.js';
import { WorkflowRunEntity } from '../workflow-run.entity.js';

/** The tags of runs. Only runs with tags have rows. */
export const WorkflowRunTagEntity = defineEntity({
  name: 'WorkflowRunTag',
  tableName: 'workflow_run_tag',
  properties: {
    run: () =>
      p.manyToOne(WorkflowRunEntity).primary().deleteRule('cascade').foreignKeyName('workflow_run_tag_run_id_fkey'),
    tag: p.text().primary(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('workflow_run_tag_project_id_fkey'),
  },
  indexes: [{ name: 'workflow_run_tag_of_project', properties: ['project', 'tag', 'run'] }],
});
