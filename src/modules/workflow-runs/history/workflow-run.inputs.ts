import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { WAIT_CONDITIONS } from '../../../engine/workflow/run/run-event.js';
import { JSONValue, UUID } from '../../../platform/json/scalars.js';
import { connectionOf, edgeOf } from '../../../platform/lists/connection.type.js';
import { pageOf } from '../../../platform/lists/page.type.js';
import type { RunRefusalDetails } from '../journal/run-payloads.js';
import { WorkflowRun } from './workflow-run.js';
import { WorkflowRunError } from './workflow-run-attempt.type.js';

export enum WorkflowRunOrder {
  CREATED_AT_ASC = 'created_at',
  CREATED_AT_DESC = '-created_at',
  COST_ASC = 'cost',
  COST_DESC = '-cost',
}

/** An index on the cost up to the latest claim supports these orders. The cost since then changes with every report. */
const ORDERED_COST =
  'Until a run waits or ends, its cost when a worker last claimed it counts: unlike `cost`, `minCost` and `maxCost`, the order omits the cost since then.';

registerEnumType(WorkflowRunOrder, {
  name: 'WorkflowRunOrder',
  description: 'Order of a list of runs.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'Oldest first.' },
    CREATED_AT_DESC: { description: 'Newest first.' },
    COST_ASC: { description: `Cheapest first. ${ORDERED_COST}` },
    COST_DESC: { description: `Most expensive first. ${ORDERED_COST}` },
  },
});

@ObjectType({ description: 'One page of runs.' })
export class WorkflowRunPage extends pageOf(WorkflowRun) {}

@ObjectType({ description: 'A run with its cursor.' })
export class WorkflowRunEdge extends edgeOf(WorkflowRun) {}

@ObjectType({ description: 'Some runs, selected by cursors.' })
export class WorkflowRunConnection extends connectionOf(WorkflowRun, WorkflowRunEdge) {}

/** The states of a run, and `expired`. */
export enum WorkflowRunResultStatus {
  DRAFT = 'draft',
  QUEUED = 'queued',
  RUNNING = 'running',
  WAITING = 'waiting',
  SUCCEEDED = 'succeeded',
  FAILED = 'failed',
  CANCELLED = 'cancelled',
  EXPIRED = 'expired',
}
registerEnumType(WorkflowRunResultStatus, {
  name: 'WorkflowRunResultStatus',
  description: 'Status of the result of a run. SUCCEEDED, FAILED, CANCELLED and EXPIRED are final.',
  valuesConfig: {
    DRAFT: { description: 'Recorded but not started.' },
    QUEUED: { description: 'Accepted and waiting for a worker.' },
    RUNNING: { description: 'Being executed by a worker.' },
    WAITING: { description: `Waiting for ${WAIT_CONDITIONS}.` },
    SUCCEEDED: { description: 'The run succeeded.' },
    FAILED: { description: 'The run was refused, failed or timed out.' },
    CANCELLED: { description: 'A user cancelled the run.' },
    EXPIRED: { description: 'The run has ended, and its result is no longer stored.' },
  },
});

@ObjectType({ description: 'Status and result of a run.' })
export class WorkflowRunResult {
  @Field(() => UUID, { name: 'runId', description: 'Id of the run.' })
  id!: string;

  @Field(() => WorkflowRunResultStatus, { description: 'Status of the result.' })
  status!: `${WorkflowRunResultStatus}`;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Entries by node id: `{id, status, result: {content}}`, or `{id, status, error}` for a failed node. Entries of nodes that used a model also have `usage {prompt_tokens, completion_tokens, total_tokens, cost_usd}`. Skipped nodes have no entry. For a refused run the entries are `{id, status, result: [{path: message}]}`.',
  })
  data!: unknown;

  @Field(() => JSONValue, {
    nullable: true,
    description:
      'Content of the output node. When several output nodes were executed, an object by node id; when none was, null.',
  })
  output!: unknown;

  @Field(() => WorkflowRunError, {
    nullable: true,
    description: 'Reason why the run was refused or failed. Otherwise null.',
  })
  error!: WorkflowRunError | null;
}

@ObjectType({ description: 'Response to a request for the result of a run.' })
export class WorkflowRunDelivery {
  @Field(() => Int, { description: 'Inner status: 200.' })
  status!: number;

  @Field(() => WorkflowRunResult, { description: 'Current status and result of the run.' })
  data!: WorkflowRunResult;
}

@ObjectType({ description: 'Response to the start of a run.' })
export class WorkflowRunReceipt {
  @Field(() => Int, {
    description:
      'Inner status: 201 accepted, 422 a node is invalid, 400 the graph or the input is malformed, 402 the spending limit of the project is reached.',
  })
  status!: number;

  @Field(() => WorkflowRunResult, { description: 'Initial status of the run. A refused run also has an id.' })
  data!: WorkflowRunResult;

  /** Used by the field resolver `run`. */
  runId!: string;

  /** Used by the errors of the payload. Null: the run was accepted. */
  refusal!: RunRefusalDetails | null;
}
