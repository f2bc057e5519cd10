import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';

export enum ConditionType {
  VARIABLE = 'variable',
  MESSAGE = 'message',
}

export enum ConditionMatching {
  EQUAL = 'equal',
  NOT_EQUAL = 'not_equal',
  CONTAINS = 'contains',
  NOT_CONTAINS = 'not_contains',
  GREATER = 'greater',
  LESS = 'less',
  EMPTY = 'empty',
  NOT_EMPTY = 'not_empty',
  REGEX = 'regex',
}

export enum ConditionAction {
  SKIP = 'skip',
  STOP = 'stop',
  FAIL = 'fail',
}

registerEnumType(ConditionType, {
  name: 'ConditionType',
  description: 'What a condition looks at.',
  valuesConfig: {
    VARIABLE: { description: 'The value of a variable.' },
    MESSAGE: { description: 'The result of a message.' },
  },
});

registerEnumType(ConditionMatching, {
  name: 'ConditionMatching',
  description: 'How a condition compares.',
  valuesConfig: {
    EQUAL: { description: 'The same text.' },
    NOT_EQUAL: { description: 'Another text.' },
    CONTAINS: { description: 'The value stands somewhere inside.' },
    NOT_CONTAINS: { description: 'The value stands nowhere inside.' },
    GREATER: { description: 'A greater number.' },
    LESS: { description: 'A smaller number.' },
    EMPTY: { description: 'Nothing is there. The value is not looked at.' },
    NOT_EMPTY: { description: 'Something is there. The value is not looked at.' },
    REGEX: { description: 'The value, a regular expression in RE2’s syntax, is found.' },
  },
});

registerEnumType(ConditionAction, {
  name: 'ConditionAction',
  description: 'What is done when a condition matches.',
  valuesConfig: {
    SKIP: { description: 'The prompt or message is left out.' },
    STOP: { description: 'The run ends here, finished.' },
    FAIL: { description: 'The run ends here with an error.' },
  },
});

const SUBJECT = 'Without any such id the first placeholder of the content is looked at.';

@ObjectType({ description: 'When a prompt or a message is left out, or ends the run.' })
export class Condition {
  @Field(() => Boolean, { description: 'Whether the condition is looked at.' })
  isEnabled!: boolean;

  @Field(() => ConditionType, { description: 'What it looks at.' })
  type!: ConditionType;

  @Field(() => ConditionMatching, { description: 'How it compares.' })
  matching!: ConditionMatching;

  @Field(() => String, { description: 'What it compares with.' })
  value!: string;

  @Field(() => ConditionAction, { description: 'What is done when it matches.' })
  action!: ConditionAction;

  @Field(() => Int, { nullable: true, description: `The variable it looks at. ${SUBJECT}` })
  variable!: number | null;

  @Field(() => Int, { nullable: true, description: 'The named value of that variable.' })
  variableName!: number | null;

  @Field(() => Int, { nullable: true, description: `The message it looks at. ${SUBJECT}` })
  message!: number | null;
}

@InputType({ description: 'When a prompt or a message is left out, or ends the run.' })
export class ConditionInput {
  @Field(() => Boolean, { nullable: true, description: 'Whether the condition is looked at. Default: true.' })
  isEnabled?: boolean | null;

  @Field(() => ConditionType, { description: 'What it looks at.' })
  type!: ConditionType;

  @Field(() => ConditionMatching, { description: 'How it compares.' })
  matching!: ConditionMatching;

  @Field(() => String, {
    nullable: true,
    description: 'What it compares with, at most 10,000 characters; of a regular expression at most 1,000.',
  })
  value?: string | null;

  @Field(() => ConditionAction, { description: 'What is done when it matches.' })
  action!: ConditionAction;

  @Field(() => Int, { nullable: true, description: `The variable it looks at. ${SUBJECT}` })
  variable?: number | null;

  @Field(() => Int, { nullable: true, description: 'The named value of that variable; needs `variable`.' })
  variableName?: number | null;

  @Field(() => Int, { nullable: true, description: `The message it looks at. ${SUBJECT}` })
  message?: number | null;
}
