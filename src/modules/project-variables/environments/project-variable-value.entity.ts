import { defineEntity, p } from '@mikro-orm/core';
import { ProjectVariableEntity } from '../project-variable.entity.js';
import { ProjectEnvironmentEntity } from './project-environment.entity.js';

/** The value of a variable in an environment: `value` of a plain variable, `sealed` of a secret. */
export const ProjectVariableValueEntity = defineEntity({
  name: 'ProjectVariableValue',
  tableName: 'project_variable_value',
  properties: {
    id: p.integer().primary().autoincrement(),
    projectVariable: () =>
      p
        .manyToOne(ProjectVariableEntity)
        .deleteRule('cascade')
        .foreignKeyName('project_variable_value_project_variable_id_fkey'),
    projectEnvironment: () =>
      p
        .manyToOne(ProjectEnvironmentEntity)
        .deleteRule('cascade')
        .foreignKeyName('project_variable_value_project_environment_id_fkey'),
    value: p.text().nullable(),
    sealed: p.text().nullable(),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  uniques: [{ name: 'project_variable_value_of_environment', properties: ['projectVariable', 'projectEnvironment'] }],
  indexes: [{ name: 'project_variable_value_by_environment', properties: ['projectEnvironment'] }],
});
