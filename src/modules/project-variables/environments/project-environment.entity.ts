import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../../projects/project.js';

/** A named environment of a project. The default one has no row. */
export const ProjectEnvironmentEntity = defineEntity({
  name: 'ProjectEnvironment',
  tableName: 'project_environment',
  properties: {
    id: p.integer().primary().autoincrement(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('project_environment_project_id_fkey'),
    name: p.text(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  uniques: [{ name: 'project_environment_of_project', properties: ['project', 'name'] }],
});
