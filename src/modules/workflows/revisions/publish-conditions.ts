import type { Sql } from '../../../platform/database/database.js';

/** A revision that is about to be published. */
export interface Publication {
  projectId: number;
  workflowId: number;
  revisionId: number;
  number: number;
}

/** Checks a publication in its transaction. Throws a ConflictError to refuse it. */
export type PublishCondition = (sql: Sql, publication: Publication) => Promise<void>;
