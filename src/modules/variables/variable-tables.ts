import type { Table } from '../../platform/database/typed-queries.js';
import type { KeywordEntity } from '../keywords/keyword.entity.js';
import type { KeywordClusterEntity } from '../keywords/keyword-cluster.entity.js';
import type { KeywordRunEntity } from '../keywords/runs/keyword-run.entity.js';
import type { Variable } from './variable.js';

export interface VariableTables {
  variable: Table<Variable>;
  /** The tables of keywords are read-only here. */
  keyword_run: Table<typeof KeywordRunEntity>;
  keyword: Table<typeof KeywordEntity>;
  keyword_cluster: Table<typeof KeywordClusterEntity>;
}
