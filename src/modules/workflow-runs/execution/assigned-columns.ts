import type { StoredEvents } from '../journal/stored-events.js';
import type { ClaimedRun } from './run-claims.js';

/** The stored columns of a run that another process assigns to a worker. A change of them raises `FORMAT` of `slot-messages.ts`. */
export interface AssignedColumns
  extends Pick<
    ClaimedRun,
    | 'id'
    | 'token'
    | 'sequence'
    | 'projectId'
    | 'revisionId'
    | 'workflowId'
    | 'userId'
    | 'scenarioRunId'
    | 'ancestry'
    | 'marketWorkflowId'
    | 'runFee'
    | 'traceparent'
    | 'environment'
    | 'input'
    | 'sealedInput'
  > {
  /** In JSON an ISO 8601 text. */
  createdAt: Date | string;
  /** The events of the early start. Null for a fork, whose first events are those of the forked run: it continues from its journal. */
  events: StoredEvents | null;
  sealedContents: string | null;
}

/** SQL of the columns, for a row of the statement that inserts runs (`insertRunsSql`). */
const COLUMNS: Record<keyof AssignedColumns, string> = {
  id: 'id',
  token: 'lease_token',
  sequence: 'sequence',
  projectId: 'project_id',
  revisionId: 'revision_id',
  workflowId: 'workflow_id',
  userId: 'user_id',
  scenarioRunId: 'scenario_run_id',
  ancestry: 'ancestry',
  marketWorkflowId: 'market_workflow_id',
  runFee: 'run_fee',
  traceparent: 'traceparent',
  environment: 'environment',
  input: 'input',
  sealedInput: '"sealedInput"',
  createdAt: 'created_at',
  events: 'case when forked_from_id is null then events end',
  sealedContents: '"sealedContents"',
};

/** Returns SQL for a JSON object with the columns and `others`, SQL by member. */
export function assignedColumnsSql(others: Record<string, string>): string {
  const members = Object.entries({ ...COLUMNS, ...others }).map(([member, sql]) => `'${member}', ${sql}`);
  return `json_build_object(${members.join(', ')})`;
}
