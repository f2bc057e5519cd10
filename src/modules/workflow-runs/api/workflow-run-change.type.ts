import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../../platform/json/scalars.js';
import { WorkflowRunNode } from '../history/workflow-run-node.type.js';

export enum WorkflowRunChangeKind {
  SNAPSHOT = 'snapshot',
  NODE_STARTED = 'node.started',
  NODE_RETRYING = 'node.retrying',
  NODE_SUCCEEDED = 'node.succeeded',
  NODE_FAILED = 'node.failed',
  NODE_SKIPPED = 'node.skipped',
  NODE_STEP_STARTED = 'node.step.started',
  NODE_STEP_SUCCEEDED = 'node.step.succeeded',
  NODE_WAITING = 'node.waiting',
  RUN_SUCCEEDED = 'run.succeeded',
  RUN_FAILED = 'run.failed',
  RUN_CANCELLED = 'run.cancelled',
}
registerEnumType(WorkflowRunChangeKind, {
  name: 'WorkflowRunChangeKind',
  description: 'What happened in a run.',
  valuesConfig: {
    SNAPSHOT: { description: 'The state at the time of subscribing; comes first unless `afterSequence` was given.' },
    NODE_STARTED: { description: 'A node began.' },
    NODE_RETRYING: { description: 'A try of a node failed and another follows.' },
    NODE_SUCCEEDED: { description: 'A node ended well.' },
    NODE_FAILED: { description: 'A node failed.' },
    NODE_SKIPPED: { description: 'A node was skipped: no branch that was taken leads to it.' },
    NODE_STEP_STARTED: {
      description: 'A node that works in steps began one: asks its model, calls a tool, starts a sub-run.',
    },
    NODE_STEP_SUCCEEDED: { description: 'A step of a node is done.' },
    NODE_WAITING: { description: 'A node waits for a time, a decision or a sub-run; no worker is held meanwhile.' },
    RUN_SUCCEEDED: { description: 'The run ended well. The subscription completes.' },
    RUN_FAILED: { description: 'The run failed. The subscription completes.' },
    RUN_CANCELLED: { description: 'A user ended the run. The subscription completes.' },
  },
});

@ObjectType({ description: 'One change of a run.' })
export class WorkflowRunChange {
  @Field(() => Int, {
    description: 'Counts the run’s changes, from 1. To resume, pass the last one seen as `afterSequence`.',
  })
  sequence!: number;

  @Field(() => WorkflowRunChangeKind, { description: 'What happened.' })
  kind!: WorkflowRunChangeKind;

  @Field(() => DateTime, { description: 'When it happened.' })
  at!: Date | string;

  @Field(() => String, {
    description: 'The run’s status after the change: `in queue`, `in progress`, `succeed` or `failed`.',
  })
  status!: string;

  @Field(() => WorkflowRunNode, {
    nullable: true,
    description: 'The node it happened to; null when it concerns the whole run.',
  })
  node!: WorkflowRunNode | null;

  @Field(() => [WorkflowRunNode], {
    description: 'In a snapshot every node that has begun, those of loops’ bodies left out; empty otherwise.',
  })
  nodes!: WorkflowRunNode[];

  /** Read by the field resolver `run`. */
  runId!: string;
}
