import { CLAIMED, type ClaimedRow, TableClaims } from '../../../durable/table-claims.js';
import type { Database } from '../../../platform/database/database.js';
import { keyedQuery } from '../../../platform/database/prepared-queries.js';
import { expression } from '../../../platform/database/typed-queries.js';
import type { KeywordTables } from '../keyword-tables.js';
import { KeywordRunStatus } from './keyword-run.js';

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

const claim = keyedQuery<KeywordTables, { ids: string[] }, ClaimedKeywordRun>('claim-keyword_run', (tables, value) =>
  tables
    .updateTable('keyword_run as r')
    .set(CLAIMED)
    .where('r.billing_id', '=', expression<string>`any(${value('ids')}::uuid[])`)
    .where('r.status', 'in', [KeywordRunStatus.CREATED, KeywordRunStatus.IN_PROGRESS])
    .returning(['r.billing_id as id', 'r.id as runId', 'r.lease_token as token', 'r.attempts'])
    .returning(['r.created_at as createdAt', 'r.project_id as projectId', 'r.topic', 'r.url', 'r.preset'])
    .returning('r.do_clusterize as doClusterize')
    .returning(({ selectFrom }) =>
      selectFrom('project')
        .select('stopwords')
        .whereRef('project.id', '=', 'r.project_id')
        .$asScalar()
        .$notNull()
        .as('stopwords'),
    ),
);

/** Who may execute a keyword run, and since when no worker does. */
export class KeywordRunClaims extends TableClaims<ClaimedKeywordRun> {
  constructor(database: Database) {
    super(database, { table: 'keyword_run', claim });
  }
}

/** The topic on which the worker that executes a run hears that it was deleted. */
export function deletedTopic(billingId: string): string {
  return `delete-keyword-run:${billingId}`;
}
