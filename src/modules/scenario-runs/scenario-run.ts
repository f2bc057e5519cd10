import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { Money } from '../../platform/money/money.type.js';
import { FinishReason } from '../billing/finish-reason.type.js';
import type { InsertedVariable } from './contents/inserted-variable.type.js';

export enum ScenarioRunStatus {
  QUEUED = 'created',
  RUNNING = 'in_progress',
  SUCCEEDED = 'finished',
  FAILED = 'error',
  CANCELLED = 'cancelled',
}
registerEnumType(ScenarioRunStatus, {
  name: 'ScenarioRunStatus',
  description: 'Status of a scenario run. SUCCEEDED, FAILED and CANCELLED are final.',
  valuesConfig: {
    QUEUED: { description: 'The run waits for a worker.' },
    RUNNING: { description: 'A worker executes the run.' },
    SUCCEEDED: { description: 'Every message received its response or was skipped, or a condition stopped the run.' },
    FAILED: { description: 'The run failed.' },
    CANCELLED: { description: 'A user, or the end of the parent workflow run, cancelled the run.' },
  },
});

@ObjectType({ description: 'The reason why a scenario run or a message failed.' })
export class ScenarioRunError {
  @Field(() => String, {
    description: 'Machine-readable code, such as `dangling_placeholder` or `run_timeout`. The set is open.',
  })
  code!: string;

  @Field(() => String, { description: 'Explanation for people.' })
  message!: string;
}

@ObjectType({ description: 'Numbers of tokens that models processed.' })
export class ScenarioRunTokens {
  @Field(() => Int, { description: 'Tokens in requests.' })
  prompt!: number;

  @Field(() => Int, { description: 'Tokens in responses.' })
  completion!: number;

  @Field(() => Int, { description: 'Sum of `prompt` and `completion`.' })
  total!: number;
}

@ObjectType({ description: 'A variable that the response of a model set during a run.' })
export class ScenarioRunLocalVariable {
  @Field(() => Int, {
    name: 'messageId',
    description: 'Id of the run’s copy of the message with this response.',
  })
  message!: number;

  @Field(() => String, {
    description: 'Name of the variable. Names can repeat, because each round of a loop sets its own variables.',
  })
  name!: string;

  @Field(() => String, { description: 'Value as text.' })
  value!: string;
}

export enum ScenarioRunMessageStatus {
  RUNNING = 'in_progress',
  SUCCEEDED = 'finished',
  SKIPPED = 'skipped',
  FAILED = 'error',
}
registerEnumType(ScenarioRunMessageStatus, {
  name: 'ScenarioRunMessageStatus',
  description: 'Status of a message of a scenario run.',
  valuesConfig: {
    RUNNING: { description: 'The message was sent, or more rounds follow.' },
    SUCCEEDED: { description: 'Every round received its response.' },
    SKIPPED: { description: 'A condition skipped the message, or its loop variable has no active value.' },
    FAILED: { description: 'The message failed, and therefore the run.' },
  },
});

@ObjectType({ description: 'State and results of a message that a scenario run has reached.' })
export class ScenarioRunMessage {
  @Field(() => Int, { name: 'messageId', description: 'Id of the run’s copy of the message.' })
  message!: number;

  @Field(() => String, { description: 'Key of the message.' })
  key!: string;

  @Field(() => ScenarioRunMessageStatus, { description: 'Status of the message.' })
  status!: ScenarioRunMessageStatus;

  @Field(() => [String], {
    description: 'One result for each of at most 1,000 rounds: a text, or the URL of an image.',
  })
  results!: string[];

  @Field(() => ScenarioRunTokens, { description: 'Tokens used by the message.' })
  tokens!: ScenarioRunTokens;

  @Field(() => Money, { description: 'Cost of the message. Calls of models without a known price count as zero.' })
  cost!: Money;

  @Field(() => ScenarioRunError, { nullable: true, description: 'Why the message failed; null if it did not.' })
  error!: ScenarioRunError | null;

  @Field(() => FinishReason, {
    nullable: true,
    description:
      'Why the model ended its last answer. Null when no model has answered or the provider reported no reason.',
  })
  finishReason!: FinishReason | null;
}

@ObjectType({
  description: 'One execution of a scenario. It uses copies, so later edits of the scenario do not affect it.',
})
export class ScenarioRun {
  @Field(() => Int, { description: 'Unique id.' })
  id!: number;

  @Field(() => Int, { nullable: true, description: 'Id of the scenario; null if it was deleted.' })
  scenarioId!: number | null;

  @Field(() => Int, { description: 'Id of the project that owns the run.' })
  projectId!: number;

  @Field(() => ScenarioRunStatus, { description: 'Status of the run.' })
  status!: ScenarioRunStatus;

  @Field(() => String, {
    description: 'Address that receives a webhook at the end of the run; empty if there is none.',
  })
  webhookUrl!: string;

  @Field(() => Boolean, {
    description: 'Whether the run used the scenario unchanged and ignored the changes in the start request.',
  })
  doRunDefault!: boolean;

  /** Undefined in a list: the field resolver loads them, except for runs with `isShortened`. */
  insertedVariables?: InsertedVariable[];

  @Field(() => ScenarioRunTokens, { description: 'Tokens used by the run so far.' })
  tokens!: ScenarioRunTokens;

  @Field(() => ScenarioRunError, {
    nullable: true,
    description: 'Why the run failed or was cancelled; null otherwise.',
  })
  error!: ScenarioRunError | null;

  @Field(() => DateTime, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Time of the last change.' })
  updatedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'Time when a worker first started the run; null if none has.' })
  startedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Time when the run ended; null if it has not.' })
  finishedAt!: Date | null;

  /** Used by the field resolver `cost`. */
  costUsd!: string;
}
