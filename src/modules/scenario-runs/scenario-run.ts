import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from '../../platform/json/scalars.js';
import { Money } from '../../platform/money/money.type.js';
import type { InsertedVariable } from './contents/inserted-variable.type.js';

export enum ScenarioRunStatus {
  CREATED = 'created',
  IN_PROGRESS = 'in_progress',
  FINISHED = 'finished',
  ERROR = 'error',
  CANCELLED = 'cancelled',
}
registerEnumType(ScenarioRunStatus, {
  name: 'ScenarioRunStatus',
  description: 'How far a run of a scenario is. The last three are final.',
  valuesConfig: {
    CREATED: { description: 'Waits for a worker.' },
    IN_PROGRESS: { description: 'A worker has begun.' },
    FINISHED: { description: 'Every message was answered or left out, or a condition stopped the run.' },
    ERROR: { description: 'It failed.' },
    CANCELLED: { description: 'A user ended it.' },
  },
});

@ObjectType({ description: 'Why a run or a message failed.' })
export class ScenarioRunError {
  @Field(() => String, { description: 'Such as `dangling_placeholder` or `run_timeout`.' })
  code!: string;

  @Field(() => String, { description: 'For people.' })
  message!: string;
}

@ObjectType({ description: 'Tokens that models used.' })
export class ScenarioRunTokens {
  @Field(() => Int, { description: 'Tokens that went in.' })
  prompt!: number;

  @Field(() => Int, { description: 'Tokens that came out.' })
  completion!: number;

  @Field(() => Int, { description: 'Both together.' })
  total!: number;
}

@ObjectType({ description: 'A variable that a model’s answer set.' })
export class ScenarioRunLocalVariable {
  @Field(() => Int, { description: 'The message that was answered: the id of the run’s copy.' })
  message!: number;

  @Field(() => String, { description: 'Names may repeat: each round of a loop sets its own.' })
  name!: string;

  @Field(() => String, { description: 'The value, as text.' })
  value!: string;
}

export enum ScenarioRunMessageStatus {
  IN_PROGRESS = 'in_progress',
  FINISHED = 'finished',
  SKIPPED = 'skipped',
  ERROR = 'error',
}
registerEnumType(ScenarioRunMessageStatus, {
  name: 'ScenarioRunMessageStatus',
  description: 'What became of a message of a run.',
  valuesConfig: {
    IN_PROGRESS: { description: 'It was sent, or has rounds to come.' },
    FINISHED: { description: 'It was answered.' },
    SKIPPED: { description: 'A condition left it out, or its loop went over nothing.' },
    ERROR: { description: 'It failed, and the run with it.' },
  },
});

@ObjectType({ description: 'What became of a message that a run reached.' })
export class ScenarioRunMessage {
  @Field(() => Int, { description: 'The id of the run’s copy.' })
  message!: number;

  @Field(() => String, { description: 'The message’s key.' })
  key!: string;

  @Field(() => ScenarioRunMessageStatus, { description: 'How it stands.' })
  status!: ScenarioRunMessageStatus;

  @Field(() => [String], { description: 'One for each of at most 1,000 rounds: the text, or the URL of the image.' })
  results!: string[];

  @Field(() => ScenarioRunTokens, { description: 'Tokens that it used.' })
  tokens!: ScenarioRunTokens;

  @Field(() => Money, { description: 'What it cost, as far as prices are known.' })
  cost!: Money;

  @Field(() => ScenarioRunError, { nullable: true, description: 'Why it failed; null otherwise.' })
  error!: ScenarioRunError | null;
}

@ObjectType({ description: 'One run of a scenario. It works on copies: later edits of the scenario do not touch it.' })
export class ScenarioRun {
  @Field(() => Int, { description: 'Unique.' })
  id!: number;

  @Field(() => Int, { nullable: true, description: 'The id of the scenario; null when that was deleted.' })
  scenarioId!: number | null;

  @Field(() => Int, { description: 'The owning project’s id.' })
  projectId!: number;

  @Field(() => ScenarioRunStatus, { description: 'How far it is.' })
  status!: ScenarioRunStatus;

  @Field(() => String, { description: 'Where the outcome is sent; empty: nowhere.' })
  webhookUrl!: string;

  @Field(() => Boolean, { description: 'Whether the changes that came with its start were ignored.' })
  doRunDefault!: boolean;

  /** Undefined in a list, which reads those of the runs that fit into its page. */
  insertedVariables?: InsertedVariable[];

  @Field(() => ScenarioRunTokens, { description: 'Tokens that it has used so far.' })
  tokens!: ScenarioRunTokens;

  @Field(() => ScenarioRunError, { nullable: true, description: 'Why it failed or was cancelled; null otherwise.' })
  error!: ScenarioRunError | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When a worker began it; null: none has.' })
  startedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it ended; null: it has not.' })
  finishedAt!: Date | null;

  /** Read by the field resolver `cost`. */
  costUsd!: string;
}
