import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../projects/project.js';

/** A file that workflows use as a value. `run_id` is the last run that uses it, with which it is deleted. */
export const ProjectFileEntity = defineEntity({
  name: 'ProjectFile',
  tableName: 'project_file',
  properties: {
    id: p.uuid().primary(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('project_file_project_id_fkey'),
    /** No foreign key: this module does not depend on the module of runs. */
    runId: p.uuid().nullable(),
    resultFile: p.text(),
    filename: p.text(),
    contentType: p.text(),
    size: p.bigint('number'),
    sha256: p.blob().$type<Buffer>(),
    /** Usage of the paid call that created the file; null: no paid call did. */
    paidUsage: p.json<unknown>().columnType('json').nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'project_file_history', properties: ['project', 'createdAt', 'id'] },
    { name: 'project_file_of_run', properties: ['runId'], where: 'run_id is not null' },
    { name: 'project_file_unused', properties: ['createdAt'], where: 'run_id is null' },
  ],
  uniques: [{ name: 'project_file_result_file_key', properties: ['resultFile'] }],
});
