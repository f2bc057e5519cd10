import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { KeyedPartFilter } from '../projects/parts/part.inputs.js';
import { ConditionInput } from './condition.type.js';
import { Prompt, PromptRole } from './prompt.js';

const CONTENT =
  'The text, at most 200,000 characters. Placeholders: `<variable>-1,{variable id},{named value id}</variable>` for a named value, `<message>0,{message id}</message>` for the first result of a message. A placeholder without an object is a warning; a run with it fails.';
const CONDITIONS = 'At most 100 conditions that skip the prompt or end the run.';

@InputType({ description: 'A new prompt.' })
export class PromptCreateInput {
  @Field(() => Int, {
    nullable: true,
    description: 'Id of the project that owns the prompt. Default: none; only the caller can see the prompt.',
  })
  projectId?: number | null;

  @Field(() => String, { description: 'Name of the prompt, unique within the project, 1-255 characters.' })
  key!: string;

  @Field(() => PromptRole, { description: 'The role of the prompt in the model request.' })
  role!: PromptRole;

  @Field(() => String, { description: CONTENT })
  content!: string;

  @Field(() => [ConditionInput], { nullable: true, description: `${CONDITIONS} Default: none.` })
  promptConditions?: ConditionInput[] | null;
}

@InputType({ description: 'Changes to a prompt. Omitted fields stay unchanged.' })
export class PromptUpdateInput {
  @Field(() => String, {
    nullable: true,
    description: 'Name of the prompt, unique within the project, 1-255 characters.',
  })
  key?: string;

  @Field(() => PromptRole, { nullable: true, description: 'The role of the prompt in the model request.' })
  role?: PromptRole;

  @Field(() => String, { nullable: true, description: CONTENT })
  content?: string;

  @Field(() => [ConditionInput], {
    nullable: true,
    description: `Replaces all conditions; null removes them. ${CONDITIONS}`,
  })
  promptConditions?: ConditionInput[] | null;
}

@InputType({ description: 'Conditions for listing prompts. All given conditions must match.' })
export class PromptFilter extends KeyedPartFilter {
  @Field(() => PromptRole, { nullable: true, description: 'Only prompts with this role.' })
  role?: PromptRole | null;
}

@ObjectType({ description: 'One page of prompts.' })
export class PromptPage extends pageOf(Prompt) {}
