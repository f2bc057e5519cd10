import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { RunState } from '../../../engine/status.js';
import { DateTime, UUID } from '../../../platform/json/scalars.js';

/** The states of a run as GraphQL names them. */
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
  description: 'Where a run is in its life. The last three are final.',
  valuesConfig: {
    DRAFT: { description: 'Recorded, not started.' },
    QUEUED: { description: 'Accepted; waits for a worker.' },
    RUNNING: { description: 'A worker executes it.' },
    WAITING: { description: 'It waits for a time, an approval or a sub-run, and holds no worker.' },
    SUCCEEDED: { description: 'Every node that ran succeeded, or failed with `on_error: continue`.' },
    FAILED: { description: 'Refused, failed or past its deadline.' },
    CANCELLED: { description: 'Ended by a user.' },
  },
});

/** One execution of a workflow: the narrow row. Input and result lie apart and are read only when asked for. */
@ObjectType({ description: 'One execution of a workflow.' })
export class WorkflowRun {
  @Field(() => UUID, { description: 'Unique.' })
  id!: string;

  projectId!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The workflow’s id; null for a graph that was run without being stored.',
  })
  workflowId!: number | null;

  revisionId!: number;

  @Field(() => UUID, { nullable: true, description: 'The run that started it as a sub-run; null for any other.' })
  parentRunId!: string | null;

  @Field(() => UUID, { nullable: true, description: 'The run it was forked from; null for any other.' })
  forkedFromId!: string | null;

  @Field(() => WorkflowRunState, { description: 'Where the run is in its life.' })
  state!: RunState;

  @Field(() => Int, { description: 'Number of the run’s last change: pass it as `afterSequence` to go on from here.' })
  sequence!: number;

  costUsd!: string;
  commissionUsd!: string;

  @Field(() => Boolean, { description: 'Whether it is the workflow’s API run. At most one per workflow.' })
  isApiRun!: boolean;

  @Field(() => Boolean, { description: 'Whether it is shown as a marketplace example.' })
  useInMarketplaceExample!: boolean;

  @Field(() => Boolean, { description: 'Whether it is the marketplace template.' })
  useAsMarketplaceTemplate!: boolean;

  @Field(() => DateTime, { description: 'When the run was accepted.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When the run last changed.' })
  updatedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When a worker began; null while queued.' })
  runStartedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When the run ended; null while running.' })
  runFinishedAt!: Date | null;

  /** The result has outlived RUN_RESULT_TTL_DAYS: input and result are no longer given out. */
  expired!: boolean;
}

/** What a run has cost so far; `run` names its row. */
export function costSql(run: string): string {
  return `(${run}.cost_usd + coalesce(${run}.running_cost_usd, 0))`;
}

/** Runs not yet ended, API runs, examples and templates keep their results. `ttl` is the placeholder of RUN_RESULT_TTL_DAYS. */
export function expiredSql(ttl: string): string {
  return `(coalesce(r.run_finished_at < now() - make_interval(days => ${ttl}::int), false) and not ${KEEPS_RESULT})`;
}

export const KEEPS_RESULT = '(r.is_api_run or r.use_in_marketplace_example or r.use_as_marketplace_template)';
