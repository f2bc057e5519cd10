import type { Table } from '../../platform/database/typed-queries.js';
import type { Project } from '../projects/project.js';
import type { KeywordEntity } from './keyword.entity.js';
import type { KeywordClusterEntity } from './keyword-cluster.entity.js';
import type { KeywordRunEntity } from './runs/keyword-run.entity.js';

export interface KeywordTables {
  keyword: Table<typeof KeywordEntity>;
  keyword_cluster: Table<typeof KeywordClusterEntity>;
  keyword_run: Table<typeof KeywordRunEntity>;
  /** Read-only here. */
  project: Table<Project>;
}
