import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../projects/project.js';

/** The stored bytes of a project and its limit. Database triggers maintain the sum. */
export const ProjectStorageEntity = defineEntity({
  name: 'ProjectStorage',
  tableName: 'project_storage',
  properties: {
    project: () =>
      p
        .manyToOne(Project)
        .primary()
        .deleteRule('cascade')
        .updateRule('no action')
        .foreignKeyName('project_storage_project_id_fkey'),
    usedBytes: p.bigint('number').defaultRaw('0'),
    limitBytes: p.bigint('number').nullable(),
  },
});
