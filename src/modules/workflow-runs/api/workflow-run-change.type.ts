import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { RunState } from '../../../engine/status.js';
import { WAIT_CONDITIONS } from '../../../engine/workflow/run/run-event.js';
import { DateTime } from '../../../platform/json/scalars.js';
import { WorkflowRunState } from '../history/workflow-run.js';
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
  description: 'Kind of a change of a run.',
  valuesConfig: {
    SNAPSHOT: { description: 'State at the time of the subscription. Sent first, unless `afterSequence` is given.' },
    NODE_STARTED: { description: 'A node started.' },
    NODE_RETRYING: { description: 'An attempt of a node failed, and another attempt follows.' },
    NODE_SUCCEEDED: { description: 'A node succeeded.' },
    NODE_FAILED: { description: 'A node failed.' },
    NODE_SKIPPED: { description: 'A node was skipped, because no selected branch leads to it.' },
    NODE_STEP_STARTED: {
      description: 'A step of a node started: a model call, a tool call or a sub-run.',
    },
    NODE_STEP_SUCCEEDED: { description: 'A step of a node succeeded.' },
    NODE_WAITING: { description: `A node waits for ${WAIT_CONDITIONS}. It occupies no worker.` },
    RUN_SUCCEEDED: { description: 'The run succeeded. The subscription completes.' },
    RUN_FAILED: { description: 'The run failed. The subscription completes.' },
    RUN_CANCELLED: { description: 'A user cancelled the run. The subscription completes.' },
  },
});

@ObjectType({ description: 'One change of a run.' })
export class WorkflowRunChange {
  @Field(() => Int, {
    description:
      'Number of the change within the run, from 1. To resume, pass the last received number as `afterSequence`.',
  })
  sequence!: number;

  @Field(() => WorkflowRunChangeKind, { description: 'Kind of the change.' })
  kind!: WorkflowRunChangeKind;

  @Field(() => DateTime, { description: 'Time of the change.' })
  at!: Date | string;

  @Field(() => WorkflowRunState, {
    description: 'State of the run. Changes of nodes have RUNNING, even when the run then waits.',
  })
  state!: RunState;

  @Field(() => WorkflowRunNode, {
    nullable: true,
    description: 'The changed node. Null when the change concerns the whole run.',
  })
  node!: WorkflowRunNode | null;

  @Field(() => [WorkflowRunNode], {
    description:
      'For a snapshot, all started and skipped nodes except those in loop bodies. Otherwise empty. No more than the graph has.',
  })
  nodes!: WorkflowRunNode[];

  /** Used by the field resolver `run`. */
  runId!: string;
}
