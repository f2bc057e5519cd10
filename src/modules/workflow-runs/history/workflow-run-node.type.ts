import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { WAIT_CONDITIONS } from '../../../engine/workflow/run/run-event.js';
import { DateTime, JSONValue, UUID } from '../../../platform/json/scalars.js';
import { FinishReason } from '../../billing/finish-reason.type.js';
import { ModelUsage } from '../../billing/model-usage.type.js';
import { type WorkflowRunAttempt, WorkflowRunError } from './workflow-run-attempt.type.js';

@ObjectType({ description: 'One step of a node: a model call or tool call of an agent, or a sub-run.' })
export class WorkflowRunStep {
  @Field(() => String, { description: 'Name of the step, unique within one attempt of the node.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Name of the called tool. Null when the step calls no tool.' })
  tool!: string | null;

  @Field(() => JSONValue, { nullable: true, description: 'Arguments of the tool call; secrets are masked.' })
  arguments!: unknown;

  @Field(() => String, { nullable: true, description: 'Result of the step. Null until the step has finished.' })
  content!: string | null;
}

export enum WorkflowRunWaitKind {
  TIMER = 'timer',
  APPROVAL = 'approval',
  EVENT = 'event',
  RUN = 'run',
  SCENARIO = 'scenario',
}
registerEnumType(WorkflowRunWaitKind, {
  name: 'WorkflowRunWaitKind',
  description: 'The condition that ends the wait of a node.',
  valuesConfig: {
    TIMER: { description: 'A time.' },
    APPROVAL: { description: 'The decision on an approval request.' },
    EVENT: { description: 'An event that is sent to the project.' },
    RUN: { description: 'The end of a sub-run.' },
    SCENARIO: { description: 'The end of a scenario run.' },
  },
});

@ObjectType({ description: 'The wait of a node.' })
export class WorkflowRunWait {
  @Field(() => WorkflowRunWaitKind, { description: 'The condition that ends the wait.' })
  kind!: `${WorkflowRunWaitKind}`;

  @Field(() => DateTime, { nullable: true, description: 'Latest end of the wait. Null when it has no time limit.' })
  until!: Date | null;

  @Field(() => UUID, { nullable: true, description: 'Id of the approval request, when `kind` is APPROVAL.' })
  requestId!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the event, when `kind` is EVENT; secrets are masked.' })
  eventName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Correlation key of the event, when `kind` is EVENT; secrets are masked.',
  })
  correlationKey!: string | null;

  @Field(() => UUID, { nullable: true, description: 'Id of the sub-run, when `kind` is RUN.' })
  runId!: string | null;

  @Field(() => Int, { nullable: true, description: 'Id of the scenario run, when `kind` is SCENARIO.' })
  scenarioRunId!: number | null;
}

/** The values are those of stored results, except `waiting`: a waiting node is stored as `in progress`. */
export enum WorkflowRunNodeStatus {
  RUNNING = 'in progress',
  WAITING = 'waiting',
  SUCCEEDED = 'succeed',
  FAILED = 'failed',
  SKIPPED = 'skipped',
}
registerEnumType(WorkflowRunNodeStatus, {
  name: 'WorkflowRunNodeStatus',
  description: 'Status of a node of a run. SUCCEEDED, FAILED and SKIPPED are final.',
  valuesConfig: {
    RUNNING: { description: 'Being executed. Also between two attempts.' },
    WAITING: { description: `Waiting for ${WAIT_CONDITIONS}; see \`wait\`.` },
    SUCCEEDED: { description: 'The node succeeded.' },
    FAILED: { description: 'The node failed or was refused; see `error`.' },
    SKIPPED: { description: 'No selected branch leads to the node.' },
  },
});

@ObjectType({ description: 'Current state of a node of a run.' })
export class WorkflowRunNode {
  @Field(() => String, { description: 'Id of the node in the graph.' })
  nodeId!: string;

  @Field(() => WorkflowRunNodeStatus, { description: 'Status of the node.' })
  status!: `${WorkflowRunNodeStatus}`;

  @Field(() => String, { nullable: true, description: 'Result of the node. Null until it has succeeded.' })
  content!: string | null;

  @Field(() => WorkflowRunError, {
    nullable: true,
    description: 'Error of the node, or of its last attempt while it is repeated. Null when it has not failed.',
  })
  error!: WorkflowRunError | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Iteration of the loop that contains the node, from 0, for example `3`. Nested loops are joined by dots, outermost first, for example `3.0`. The prefix `2~` marks the second attempt of the loop. Null outside loops.',
  })
  iteration!: string | null;

  @Field(() => WorkflowRunStep, {
    nullable: true,
    description:
      'The step that changed, in events of `workflowRunChanged`. Null elsewhere, and when the change does not concern a step.',
  })
  step!: WorkflowRunStep | null;

  @Field(() => WorkflowRunWait, {
    nullable: true,
    description: 'The current wait of the node. Null when it does not wait.',
  })
  wait!: WorkflowRunWait | null;

  @Field(() => ModelUsage, {
    nullable: true,
    description: 'Model usage so far, over all attempts and steps. Null when the node called no model.',
  })
  usage!: ModelUsage | null;

  @Field(() => FinishReason, {
    nullable: true,
    description:
      'Why the model ended its last answer. Null when the node called no model or the provider reported no reason.',
  })
  finishReason!: FinishReason | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Milliseconds spent waiting for a free script thread or provider slot, or for the database while it was unavailable, over all attempts and steps. This time does not count against `timeout_seconds`. Null when the node did not wait.',
  })
  waitedMs!: number | null;

  @Field(() => [String], {
    description:
      'Lines that the script of a code node wrote to the console, at most 100 for each attempt and a note that more were dropped, each at most 1,000 characters; secrets are masked. Empty for other nodes.',
  })
  log!: readonly string[];

  /** Used by the fields that read the journal. */
  runId!: string;

  /** Absent: the attempts are read from the journal when a query selects them. */
  recordedAttempts?: readonly WorkflowRunAttempt[];
}
