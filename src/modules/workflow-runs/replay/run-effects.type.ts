import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Money } from '../../../platform/money/money.type.js';

/** The action whose effects are requested. */
export enum WorkflowRunAction {
  FORK = 'fork',
  RESTART = 'restart',
  CANCEL = 'cancel',
}
registerEnumType(WorkflowRunAction, {
  name: 'WorkflowRunAction',
  description: 'An action on a run.',
  valuesConfig: {
    FORK: { description: 'Run it again with `workflowRunFork`, which reuses results.' },
    RESTART: {
      description: 'Run it again with `workflowRunRestart`, which executes all nodes unless it reuses results.',
    },
    CANCEL: { description: 'Cancel it with `workflowRunCancel`.' },
  },
});

@ObjectType({ description: 'The calls of one node outside of the workflow, over all iterations of loops around it.' })
export class WorkflowRunEffect {
  @Field(() => String, { description: 'Id of the node.' })
  nodeId!: string;

  @Field(() => String, { description: 'Label of the node.' })
  label!: string;

  @Field(() => String, { description: 'Type of the node, such as `http-node`.' })
  type!: string;

  @Field(() => Int, { description: 'Number of executions of the run that have ended. Their calls were made.' })
  madeCount!: number;

  @Field(() => Int, {
    description:
      'Number of executions of the run that have begun and have no recorded end. Their calls may have been made.',
  })
  openCount!: number;

  @Field(() => Int, { description: 'Number of recorded executions whose results the new run takes over.' })
  reusedCount!: number;

  @Field(() => Int, { description: 'Number of executions that the new run repeats.' })
  repeatedCount!: number;

  @Field(() => Int, { description: 'Number of executions in the new run that the run does not have.' })
  newCount!: number;

  @Field(() => Boolean, {
    description:
      'Whether the counts of the new run are certain. False: they depend on a decision or a loop that is executed again.',
  })
  isCertain!: boolean;

  @Field(() => [String], {
    description: 'Idempotency keys of the executions in the run, in the order of their starts: the first, at most 100.',
  })
  idempotencyKeys!: string[];

  @Field(() => Money, { description: 'Recorded cost of the executions that the new run repeats.' })
  expectedCost!: Money;
}

@ObjectType({
  description:
    'The effects of running a run again, or of cancelling it, computed from its journal. Nothing is started or changed.',
})
export class WorkflowRunEffects {
  @Field(() => [WorkflowRunEffect], {
    description: 'The nodes with calls outside, in the order of the graph. No more than the graphs have.',
  })
  nodes!: WorkflowRunEffect[];

  @Field(() => Money, {
    description: 'Recorded cost of all executions that the new run repeats, without marketplace fees.',
  })
  expectedCost!: Money;

  @Field(() => Int, {
    description: 'Number of executions of models and sub-workflows in the new run without a recorded cost.',
  })
  unknownCostCount!: number;
}
