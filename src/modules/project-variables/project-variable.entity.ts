import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../projects/project.js';

/** A variable of a project. A secret has `sealed` and no `value`. */
export const ProjectVariableEntity = defineEntity({
  name: 'ProjectVariable',
  tableName: 'project_variable',
  properties: {
    id: p.integer().primary().autoincrement(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('project_variable_project_id_fkey'),
    name: p.text(),
    value: p.text().nullable(),
    sealed: p.text().nullable(),
    allowedHosts: p.array(String).columnType('text[]').defaultRaw(`'{}'`),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  uniques: [{ name: 'project_variable_of_project', properties: ['project', 'name'] }],
  checks: [{ name: 'project_variable_one_value', expression: '(value IS NULL) <> (sealed IS NULL)' }],
});
