import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { RunState } from '../../../engine/status.js';
import { WAIT_CONDITIONS } from '../../../engine/workflow/run/run-event.js';
import { DateTime, UUID } from '../../../platform/json/scalars.js';

/** The states of a run in GraphQL. */
export enum WorkflowRunState {
  DRAFT = 'draft',
  QUEUED = 'queued',
  RUNNING = 'running',
  WAITING = 'waiting',
  SUCCEEDED = 'succeeded',
  FAILED = 'failed',
  CANCELLED = 'cancelled',
}
registerEnumType(WorkflowRunState, {
  name: 'WorkflowRunState',
  description: 'State of a run. SUCCEEDED, FAILED and CANCELLED are final.',
  valuesConfig: {
    DRAFT: { description: 'Recorded but not started.' },
    QUEUED: { description: 'Accepted and waiting for a worker.' },
    RUNNING: { description: 'Being executed by a worker.' },
    WAITING: {
      description: `Waiting for ${WAIT_CONDITIONS}. A waiting run occupies no worker.`,
    },
    SUCCEEDED: { description: 'All executed nodes succeeded, or failed with `on_error: continue`.' },
    FAILED: { description: 'Refused, failed or timed out.' },
    CANCELLED: { description: 'Cancelled by a user.' },
  },
});

/** One execution of a workflow. Input and result are stored separately and read only on request. */
@ObjectType({ description: 'One execution of a workflow.' })
export class WorkflowRun {
  @Field(() => UUID, { description: 'Unique id of the run.' })
  id!: string;

  projectId!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Id of the workflow. Null for a run of a graph without a stored workflow.',
  })
  workflowId!: number | null;

  revisionId!: number;

  @Field(() => UUID, {
    nullable: true,
    description: 'Id of the run that started this run as a sub-run. Null for other runs.',
  })
  parentRunId!: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Id of the scenario run of which this run is a part, because one of its messages started this run or its parent run. Null for other runs.',
  })
  scenarioRunId!: number | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'Id of the run from which this run was forked. Null for other runs.',
  })
  forkedFromId!: string | null;

  @Field(() => WorkflowRunState, { description: 'Current state.' })
  state!: RunState;

  @Field(() => Int, {
    description: 'Sequence number of the latest change. Pass it as `afterSequence` to receive only later changes.',
  })
  sequence!: number;

  @Field(() => String, {
    description: 'The environment whose values of project variables the run uses, such as `production`.',
  })
  environment!: string;

  costUsd!: string;
  commissionUsd!: string;

  @Field(() => Boolean, { description: 'Whether this is the API run of its workflow. A workflow has at most one.' })
  isApiRun!: boolean;

  @Field(() => Boolean, { description: 'Whether the run is shown as an example on the marketplace.' })
  useInMarketplaceExample!: boolean;

  @Field(() => Boolean, {
    description: 'Whether the run is the marketplace template of its workflow. A workflow has at most one.',
  })
  useAsMarketplaceTemplate!: boolean;

  @Field(() => DateTime, { description: 'Time of acceptance.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Time of the latest change.' })
  updatedAt!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which execution started. Null while the run is queued.',
  })
  runStartedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Time at which the run ended. Null until then.' })
  runFinishedAt!: Date | null;

  /** The result is older than RUN_RESULT_TTL_DAYS: input and result are no longer returned. */
  isExpired!: boolean;
}

/** Returns SQL for the cost of a run so far; `run` is the alias of its row. */
export function costSql(run: string): string {
  return `(${run}.cost_usd + coalesce(${run}.running_cost_usd, 0))`;
}
