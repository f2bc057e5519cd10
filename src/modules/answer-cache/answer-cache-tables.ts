import type { Table } from '../../platform/database/typed-queries.js';
import type { CachedAnswerEntity } from './cached-answer.entity.js';

/** Tables that the module's queries use. */
export interface AnswerCacheTables {
  cached_answer: Table<typeof CachedAnswerEntity>;
}
