import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { KeyedPartFilter } from '../projects/parts/part.inputs.js';
import { ConditionInput } from './condition.type.js';
import { Prompt, PromptRole } from './prompt.js';

const CONTENT =
  'At most 200,000 characters, with placeholders `<variable>-1,{variable id},{name id}</variable>` and `<message>0,{message id}</message>`.';
const CONDITIONS = 'When it is left out or ends the run; at most 100.';

@InputType({ description: 'A new prompt.' })
export class PromptCreateInput {
  @Field(() => Int, {
    nullable: true,
    description: 'The owning project. Absent: the prompt belongs to the caller alone.',
  })
  project?: number | null;

  @Field(() => String, { description: 'Unique within the project, 1-255 characters.' })
  key!: string;

  @Field(() => PromptRole, { description: 'Who speaks it.' })
  role!: PromptRole;

  @Field(() => String, { description: CONTENT })
  content!: string;

  @Field(() => [ConditionInput], { nullable: true, description: CONDITIONS })
  promptConditions?: ConditionInput[] | null;
}

@InputType({ description: 'Changes to a prompt; what is left out stays.' })
export class PromptUpdateInput {
  @Field(() => String, { nullable: true, description: 'Unique within the project, 1-255 characters.' })
  key?: string;

  @Field(() => PromptRole, { nullable: true, description: 'Who speaks it.' })
  role?: PromptRole;

  @Field(() => String, { nullable: true, description: CONTENT })
  content?: string;

  @Field(() => [ConditionInput], { nullable: true, description: `Replaces the conditions. ${CONDITIONS}` })
  promptConditions?: ConditionInput[] | null;
}

@InputType({ description: 'Which prompts to list.' })
export class PromptFilter extends KeyedPartFilter {
  @Field(() => PromptRole, { nullable: true, description: 'Those of this role.' })
  role?: PromptRole | null;
}

@ObjectType({ description: 'One page of prompts.' })
export class PromptPage extends pageOf(Prompt) {}
