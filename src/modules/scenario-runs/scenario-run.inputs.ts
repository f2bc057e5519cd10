import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { TimeFilter } from '../../platform/lists/time-filter.input.js';
import { MessageSettings } from '../messages/message.inputs.js';
import { VariableNameInput } from '../variables/variable-name.type.js';
import { InsertedVariableInput } from './contents/inserted-variable.type.js';
import { ScenarioRun, ScenarioRunStatus } from './scenario-run.js';

const ID = 'By the id of the original or of the run’s copy. Absent: the one of this `key`.';
const KEY = 'Unique within the run, 1-255 characters. Beside an id: its new key.';

@InputType({
  description: 'A change of a message of a run; what is left out stays, and null is what a new message has.',
})
export class ScenarioRunMessageInput extends MessageSettings {
  @Field(() => Int, { nullable: true, description: `The message. ${ID}` })
  id?: number | null;

  @Field(() => String, { nullable: true, description: KEY })
  key?: string;
}

@InputType({ description: 'A change of a variable of a run; what is left out stays.' })
export class ScenarioRunVariableInput {
  @Field(() => Int, { nullable: true, description: `The variable. ${ID}` })
  id?: number | null;

  @Field(() => String, { nullable: true, description: KEY })
  key?: string;

  @Field(() => [VariableNameInput], {
    nullable: true,
    description: 'Values that change or are added; the others stay. At most 1,000.',
  })
  variableNames?: VariableNameInput[];

  @Field(() => String, { nullable: true, description: 'The value of its first name. At most 100,000 characters.' })
  value?: string;
}

@InputType({ description: 'How a run differs from its scenario, and who hears of its end.' })
abstract class ScenarioRunSettings {
  @Field(() => String, {
    nullable: true,
    description: 'Where to send the outcome: http or https, at most 2048 characters. Default: nowhere.',
  })
  webhookUrl?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Run the scenario as it is: the changes that come with the start are ignored. Default: false.',
  })
  doRunDefault?: boolean | null;

  @Field(() => [ScenarioRunMessageInput], { nullable: true, description: 'Changes of messages, at most 1,000.' })
  messages?: ScenarioRunMessageInput[] | null;

  @Field(() => [ScenarioRunVariableInput], { nullable: true, description: 'Changes of variables, at most 1,000.' })
  variables?: ScenarioRunVariableInput[] | null;

  @Field(() => [InsertedVariableInput], {
    nullable: true,
    description: 'All inserted variables, at most 1,000; they replace those there are.',
  })
  insertedVariables?: InsertedVariableInput[] | null;
}

@InputType({ description: 'A new run, of a scenario or of what another run ran.' })
export class ScenarioRunStartInput extends ScenarioRunSettings {
  @Field(() => Int, { nullable: true, description: 'The scenario.' })
  scenario?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Without `scenario`: the run whose messages, prompts and variables are run again, as they are now.',
  })
  scenariorun?: number | null;
}

@InputType({ description: 'Changes to a run that has not begun or has ended; what is left out stays.' })
export class ScenarioRunUpdateInput extends ScenarioRunSettings {}

@InputType({ description: 'Which runs to list. All that is given must hold.' })
export class ScenarioRunFilter extends TimeFilter {
  @Field(() => Int, { nullable: true, description: 'Those of this project.' })
  project?: number | null;

  @Field(() => [ScenarioRunStatus], {
    nullable: true,
    description: 'Those with any of these, at most 100; empty: with none.',
  })
  statuses?: ScenarioRunStatus[] | null;
}

@ObjectType({ description: 'One page of runs of scenarios.' })
export class ScenarioRunPage extends pageOf(ScenarioRun) {}
