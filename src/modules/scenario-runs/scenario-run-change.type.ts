import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { ScenarioRunError, ScenarioRunStatus } from './scenario-run.js';

export enum ScenarioRunChangeKind {
  SNAPSHOT = 'snapshot',
  MESSAGE_STARTED = 'message.started',
  MESSAGE_SUCCEEDED = 'message.succeeded',
  MESSAGE_FAILED = 'message.failed',
  MESSAGE_SKIPPED = 'message.skipped',
  RUN_FINISHED = 'run.finished',
  RUN_FAILED = 'run.failed',
}
registerEnumType(ScenarioRunChangeKind, {
  name: 'ScenarioRunChangeKind',
  description: 'What happened in a run of a scenario.',
  valuesConfig: {
    SNAPSHOT: { description: 'The state at the time of subscribing; comes first.' },
    MESSAGE_STARTED: { description: 'A round of a message is sent.' },
    MESSAGE_SUCCEEDED: { description: 'A round of a message was answered.' },
    MESSAGE_FAILED: { description: 'A round of a message failed.' },
    MESSAGE_SKIPPED: { description: 'A round of a message was left out.' },
    RUN_FINISHED: { description: 'The run ended well. The subscription completes.' },
    RUN_FAILED: { description: 'The run failed or was cancelled. The subscription completes.' },
  },
});

@ObjectType({ description: 'One round of a message, as a change of its run shows it.' })
export class ScenarioRunRound {
  @Field(() => Int, { description: 'The message: the id of the run’s copy.' })
  message!: number;

  @Field(() => Int, { description: 'Counted from 0.' })
  round!: number;

  @Field(() => Int, { description: 'How many rounds the message has in all.' })
  rounds!: number;

  @Field(() => String, {
    nullable: true,
    description: 'The text, or the URL of the image; null before and without it.',
  })
  result!: string | null;

  @Field(() => ScenarioRunError, { nullable: true, description: 'Why it failed; null otherwise.' })
  error!: ScenarioRunError | null;
}

@ObjectType({ description: 'One change of a run of a scenario.' })
export class ScenarioRunChange {
  @Field(() => Int, { description: 'Counts the run’s changes, from 1.' })
  sequence!: number;

  @Field(() => ScenarioRunChangeKind, { description: 'What happened.' })
  kind!: ScenarioRunChangeKind;

  @Field(() => DateTime, { description: 'When it happened.' })
  at!: Date;

  @Field(() => ScenarioRunStatus, { description: 'The run’s status after the change.' })
  status!: ScenarioRunStatus;

  @Field(() => ScenarioRunRound, { nullable: true, description: 'What it happened to; null: to the whole run.' })
  round!: ScenarioRunRound | null;

  /** Read by the field resolver `run`. */
  runId!: number;
}
