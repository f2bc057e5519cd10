import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { ScenarioRunError, ScenarioRunStatus } from './scenario-run.js';

export enum ScenarioRunChangeKind {
  SNAPSHOT = 'snapshot',
  MESSAGE_STARTED = 'message.started',
  MESSAGE_SUCCEEDED = 'message.succeeded',
  MESSAGE_FAILED = 'message.failed',
  MESSAGE_SKIPPED = 'message.skipped',
  RUN_SUCCEEDED = 'run.finished',
  RUN_FAILED = 'run.failed',
}
registerEnumType(ScenarioRunChangeKind, {
  name: 'ScenarioRunChangeKind',
  description: 'Kind of a change of a scenario run.',
  valuesConfig: {
    SNAPSHOT: { description: 'The state at the time of the subscription. Always the first change.' },
    MESSAGE_STARTED: { description: 'A round of a message was sent.' },
    MESSAGE_SUCCEEDED: { description: 'A round of a message received its response.' },
    MESSAGE_FAILED: { description: 'A round of a message failed.' },
    MESSAGE_SKIPPED: { description: 'A condition skipped a round of a message.' },
    RUN_SUCCEEDED: { description: 'The run succeeded. The subscription completes.' },
    RUN_FAILED: { description: 'The run failed or was cancelled. The subscription completes.' },
  },
});

@ObjectType({ description: 'One round of a message of a scenario run.' })
export class ScenarioRunRound {
  @Field(() => Int, { name: 'messageId', description: 'Id of the run’s copy of the message.' })
  message!: number;

  @Field(() => Int, { description: 'Number of the round, from 0.' })
  round!: number;

  @Field(() => Int, { description: 'Total number of rounds of the message.' })
  rounds!: number;

  @Field(() => String, {
    nullable: true,
    description: 'The result: a text, or the URL of an image. Null until the round has succeeded.',
  })
  result!: string | null;

  @Field(() => ScenarioRunError, { nullable: true, description: 'Why the round failed; null if it did not.' })
  error!: ScenarioRunError | null;
}

@ObjectType({ description: 'One change of a scenario run.' })
export class ScenarioRunChange {
  @Field(() => Int, { description: 'Number of the change within the run, from 1.' })
  sequence!: number;

  @Field(() => ScenarioRunChangeKind, { description: 'Kind of the change.' })
  kind!: ScenarioRunChangeKind;

  @Field(() => DateTime, { description: 'Time of the change.' })
  at!: Date;

  @Field(() => ScenarioRunStatus, { description: 'The run’s status after the change.' })
  status!: ScenarioRunStatus;

  @Field(() => ScenarioRunRound, {
    nullable: true,
    description: 'The round that changed; null for a change of the run itself.',
  })
  round!: ScenarioRunRound | null;

  /** Used by the field resolver `run`. */
  runId!: number;
}
