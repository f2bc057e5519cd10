import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { KeyedPartFilter } from '../projects/parts/part.inputs.js';
import { KeywordrunMode, Variable } from './variable.js';
import { VariableNameInput } from './variable-name.type.js';

@InputType({ description: 'Where the values of a variable come from, and who sees it.' })
abstract class VariableSettings {
  @Field(() => Boolean, { nullable: true, description: 'Whether every run takes it along. Default: false.' })
  isGlobal?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'A keyword run of the project to take the values from, in the place of `variableNames`; null: none, and the values stay.',
  })
  keywordrun?: number | null;

  @Field(() => KeywordrunMode, { nullable: true, description: 'How values are taken from the keyword run.' })
  keywordrunMode?: KeywordrunMode | null;
}

@InputType({ description: 'A new variable.' })
export class VariableCreateInput extends VariableSettings {
  @Field(() => Int, { description: 'The owning project.' })
  project!: number;

  @Field(() => String, { description: 'Unique within the project, 1-255 characters.' })
  key!: string;

  @Field(() => [VariableNameInput], { description: 'The values, at most 1,000.' })
  variableNames!: VariableNameInput[];
}

@InputType({ description: 'Changes to a variable; what is left out stays.' })
export class VariableUpdateInput extends VariableSettings {
  @Field(() => String, { nullable: true, description: 'Unique within the project, 1-255 characters.' })
  key?: string;

  @Field(() => [VariableNameInput], {
    nullable: true,
    description: 'Replaces the values, at most 1,000. Those that stay keep their ids.',
  })
  variableNames?: VariableNameInput[];
}

@InputType({ description: 'Which variables to list.' })
export class VariableFilter extends KeyedPartFilter {
  @Field(() => Boolean, { nullable: true, description: 'Those that every scenario knows, or all others.' })
  isGlobal?: boolean | null;
}

@ObjectType({ description: 'One page of variables.' })
export class VariablePage extends pageOf(Variable) {}
