import type { Table } from '../../platform/database/typed-queries.js';
import type { KeywordRunEntity } from '../keywords/runs/keyword-run.entity.js';
import type { Variable } from './variable.js';

export interface VariableTables {
  variable: Table<Variable>;
  keyword_run: Table<typeof KeywordRunEntity>;
}
