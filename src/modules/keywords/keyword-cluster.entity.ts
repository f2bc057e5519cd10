import { defineEntity, p } from '@mikro-orm/core';
import { KeywordRunEntity } from './runs/keyword-run.entity.js';

/** A group of similar keywords of one keyword run. */
export const KeywordClusterEntity = defineEntity({
  name: 'KeywordCluster',
  tableName: 'keyword_cluster',
  properties: {
    id: p.integer().primary().autoincrement(),
    run: () => p.manyToOne(KeywordRunEntity).deleteRule('cascade').foreignKeyName('keyword_cluster_run_id_fkey'),
    name: p.text(),
    position: p.integer(),
  },
  indexes: [{ name: 'keyword_cluster_of_run', properties: ['run', 'position'] }],
});
