import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { TimeFilter } from '../../platform/lists/time-filter.input.js';
import { MessageSettings } from '../messages/message.inputs.js';
import { VariableNameInput } from '../variables/variable-name.type.js';
import { InsertedVariableInput } from './contents/inserted-variable.type.js';
import { ScenarioRun, ScenarioRunStatus } from './scenario-run.js';

const ID = 'Either the id of the original or of the run’s copy. Default: found by `key`.';
const KEY =
  'Key, unique within the run, 1-255 characters. Without `id` it selects the item; with `id` it is the new key.';

@InputType({
  description: 'A change of a message of a run. Omitted fields stay unchanged; null resets a field to its default.',
})
export class ScenarioRunMessageInput extends MessageSettings {
  @Field(() => Int, { nullable: true, description: `Id of the message to change. ${ID}` })
  id?: number | null;

  @Field(() => String, { nullable: true, description: KEY })
  key?: string;
}

@InputType({ description: 'A change of a variable of a run. Omitted fields stay unchanged.' })
export class ScenarioRunVariableInput {
  @Field(() => Int, { nullable: true, description: `Id of the variable to change. ${ID}` })
  id?: number | null;

  @Field(() => String, { nullable: true, description: KEY })
  key?: string;

  @Field(() => [VariableNameInput], {
    nullable: true,
    description: 'Named values to change or add, at most 1,000. All other values stay unchanged.',
  })
  variableNames?: VariableNameInput[];

  @Field(() => String, {
    nullable: true,
    description: 'New content of the first named value, at most 100,000 characters.',
  })
  value?: string;
}

@InputType({ description: 'Changes of a run to the copies of its scenario, and its webhook.' })
abstract class ScenarioRunSettings {
  @Field(() => String, {
    nullable: true,
    description:
      'Address that receives a webhook at the end of the run: http or https, at most 2048 characters. Default of a new run: that of the earlier run, otherwise none.',
  })
  webhookUrl?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True runs the scenario unchanged and ignores `messages`, `variables` and `insertedVariables`. Default of a new run: that of the earlier run, otherwise false.',
  })
  doRunDefault?: boolean | null;

  @Field(() => [ScenarioRunMessageInput], {
    nullable: true,
    description: 'Changes of messages, at most 1,000. Default: none.',
  })
  messages?: ScenarioRunMessageInput[] | null;

  @Field(() => [ScenarioRunVariableInput], {
    nullable: true,
    description: 'Changes of variables, at most 1,000. Default: none.',
  })
  variables?: ScenarioRunVariableInput[] | null;

  @Field(() => [InsertedVariableInput], {
    nullable: true,
    description: 'Replaces all inserted variables of the run, at most 1,000.',
  })
  insertedVariables?: InsertedVariableInput[] | null;
}

@InputType({
  description: 'A new run of a scenario, or of the copies of an earlier run. Requires `scenarioId` or `scenarioRunId`.',
})
export class ScenarioRunStartInput extends ScenarioRunSettings {
  @Field(() => Int, { nullable: true, description: 'Id of the scenario.' })
  scenarioId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Id of an earlier run. The new run copies its messages, prompts, variables and inserted variables in their current state, and has the same `webhookUrl` and `doRunDefault` unless it sets them. Ignored if `scenarioId` is set.',
  })
  scenarioRunId?: number | null;
}

@InputType({ description: 'Changes to a run that has not started or has ended. Omitted fields stay unchanged.' })
export class ScenarioRunUpdateInput extends ScenarioRunSettings {}

@InputType({ description: 'Conditions for listing scenario runs. All given conditions must match.' })
export class ScenarioRunFilter extends TimeFilter {
  @Field(() => Int, { nullable: true, description: 'Only runs of the project with this id.' })
  projectId?: number | null;

  @Field(() => [ScenarioRunStatus], {
    nullable: true,
    description: 'Only runs with one of these statuses, at most 100. An empty list matches no run.',
  })
  statuses?: ScenarioRunStatus[] | null;
}

@ObjectType({ description: 'One page of scenario runs.' })
export class ScenarioRunPage extends pageOf(ScenarioRun) {}
