import { type ClaimedRow, TableClaims } from '../../../durable/table-claims.js';
import type { Database } from '../../../platform/database/database.js';
import { CLAIMED_COLUMNS } from './keyword-run-leases.sql.js';

/** The pg-boss queue of keyword runs. The id of a job is the `billing_id` of its run. */
export const KEYWORD_RUN_QUEUE = 'keyword-run';

/** A run that this process executes: it may write as long as the token is the row's. */
export interface ClaimedKeywordRun extends ClaimedRow {
  /** How often a worker has begun this run; one handed back in good order does not count. */
  attempts: number;
  createdAt: Date;
  topic: string;
  url: string;
  preset: number;
  doClusterize: boolean;
  /** Of the project. */
  stopwords: string[];
}

/** Who may execute a keyword run, and since when nobody does. */
export class KeywordRunLeases extends TableClaims<ClaimedKeywordRun> {
  constructor(database: Database) {
    super(database, { table: 'keyword_run', columns: CLAIMED_COLUMNS });
  }
}

/** The topic on which the worker that executes a run hears that it was deleted. */
export function deletedTopic(billingId: string): string {
  return `delete-keyword-run:${billingId}`;
}
