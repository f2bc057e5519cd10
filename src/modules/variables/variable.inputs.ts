import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { pageOf } from '../../platform/lists/page.type.js';
import { KeyedPartFilter } from '../projects/parts/part.inputs.js';
import { KeywordRunMode, Variable } from './variable.js';
import { VariableNameInput } from './variable-name.type.js';

@InputType({ description: 'The source of the values of a variable, and its visibility.' })
abstract class VariableSettings {
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether every scenario run of the project gets a copy of the variable, even if nothing refers to it. Default: false.',
  })
  isGlobal?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Id of a keyword run of the project. Its enabled keywords replace `variableNames`. Null: no keyword run; the variable keeps its values.',
  })
  keywordRunId?: number | null;

  @Field(() => KeywordRunMode, { nullable: true, description: 'How keywords become values. Null means ALL.' })
  keywordRunMode?: KeywordRunMode | null;
}

@InputType({ description: 'A new variable.' })
export class VariableCreateInput extends VariableSettings {
  @Field(() => Int, { description: 'Id of the project that owns the variable.' })
  projectId!: number;

  @Field(() => String, { description: 'Name of the variable, unique within the project, 1-255 characters.' })
  key!: string;

  @Field(() => [VariableNameInput], { description: 'The named values, at most 1,000.' })
  variableNames!: VariableNameInput[];
}

@InputType({ description: 'Changes to a variable. Omitted fields stay unchanged.' })
export class VariableUpdateInput extends VariableSettings {
  @Field(() => String, {
    nullable: true,
    description: 'Name of the variable, unique within the project, 1-255 characters.',
  })
  key?: string;

  @Field(() => [VariableNameInput], {
    nullable: true,
    description: 'Replaces the named values, at most 1,000. Stored values that are in the list keep their ids.',
  })
  variableNames?: VariableNameInput[];
}

@InputType({ description: 'Conditions for listing variables. All given conditions must match.' })
export class VariableFilter extends KeyedPartFilter {
  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only global variables. False: only variables that are not global.',
  })
  isGlobal?: boolean | null;
}

@ObjectType({ description: 'One page of variables.' })
export class VariablePage extends pageOf(Variable) {}
