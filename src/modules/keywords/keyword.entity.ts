import { defineEntity, p } from '@mikro-orm/core';
import { Project } from '../projects/project.js';
import { KeywordClusterEntity } from './keyword-cluster.entity.js';
import { KeywordRunEntity } from './runs/keyword-run.entity.js';

/** A keyword of a project, entered by hand or found by a keyword run. */
export const KeywordEntity = defineEntity({
  name: 'Keyword',
  tableName: 'keyword',
  properties: {
    id: p.integer().primary().autoincrement(),
    project: () => p.manyToOne(Project).deleteRule('cascade').foreignKeyName('keyword_project_id_fkey'),
    keywordrun: () =>
      p.manyToOne(KeywordRunEntity).nullable().deleteRule('cascade').foreignKeyName('keyword_keywordrun_id_fkey'),
    keywordCluster: () =>
      p
        .manyToOne(KeywordClusterEntity)
        .nullable()
        .deleteRule('set null')
        .foreignKeyName('keyword_keyword_cluster_id_fkey'),
    name: p.text(),
    volume: p.integer().nullable(),
    competitorUrl: p.text().default(''),
    mode: p.text().default(''),
    isEnabled: p.boolean().default(true),
    rank: p.integer().nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
  },
  indexes: [
    { name: 'keyword_by_part', expression: 'create index keyword_by_part on keyword using gin (name gin_trgm_ops)' },
    { name: 'keyword_of_cluster', properties: ['keywordCluster'] },
    {
      name: 'keyword_of_project',
      columns: [{ name: 'project' }, { name: 'createdAt', sort: 'desc' }, { name: 'id' }],
    },
    { name: 'keyword_of_run', properties: ['keywordrun'] },
  ],
});
