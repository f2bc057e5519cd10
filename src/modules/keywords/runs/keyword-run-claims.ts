import { CLAIMED, type ClaimedRow, TableClaims } from '../../../durable/table-claims.js';
import type { Database } from '../../../platform/database/database.js';
import { keyedQuery } from '../../../platform/database/prepared-queries.js';
import { anyUuid } from '../../../platform/database/typed-queries.js';
import type { KeywordTables } from '../keyword-tables.js';
import { KeywordRunStatus } from './keyword-run.js';

/** Name of the pg-boss queue of keyword runs. The id of a job is the `billing_id` of its run. */
export const KEYWORD_RUN_QUEUE = 'keyword-run';

/** A run that this process has claimed. Writes are accepted as long as the row has the same fencing token. */
export interface ClaimedKeywordRun extends ClaimedRow {
  /** Number of claims of this run. An orderly shutdown that returns the run to the queue does not count. */
  attempts: number;
  createdAt: Date;
  topic: string;
  url: string;
  /** Null: the page is requested without credentials. */
  connectionId: number | null;
  /** Null: the user was deleted. */
  userId: number | null;
  preset: number;
  doClusterize: boolean;
  /** The stopwords of the project. Keywords that contain one are discarded. */
  stopwords: string[];
}

const claim = keyedQuery<KeywordTables, { ids: string[] }, ClaimedKeywordRun>('claim-keyword_run', (tables, value) =>
  tables
    .updateTable('keyword_run as r')
    .set(CLAIMED)
    .where('r.billing_id', '=', anyUuid(value('ids')))
    .where('r.status', 'in', [KeywordRunStatus.QUEUED, KeywordRunStatus.RUNNING])
    .returning(['r.billing_id as id', 'r.id as runId', 'r.lease_token as token', 'r.attempts'])
    .returning(['r.created_at as createdAt', 'r.project_id as projectId', 'r.topic', 'r.url', 'r.preset'])
    .returning(['r.do_clusterize as doClusterize', 'r.connection_id as connectionId', 'r.user_id as userId'])
    .returning(({ selectFrom }) =>
      selectFrom('project')
        .select('stopwords')
        .whereRef('project.id', '=', 'r.project_id')
        .$asScalar()
        .$notNull()
        .as('stopwords'),
    ),
);

/** Claims and leases of keyword runs. */
export class KeywordRunClaims extends TableClaims<ClaimedKeywordRun> {
  constructor(database: Database) {
    super(database, { table: 'keyword_run', claim });
  }
}

/** Notification topic for the deletion of a run. The worker that executes the run subscribes to it. */
export function deletionTopic(billingId: string): string {
  return `delete-keyword-run:${billingId}`;
}
