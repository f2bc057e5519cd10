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
  description: 'The kind of text that a condition checks: its subject.',
  valuesConfig: {
    VARIABLE: { description: 'The value of a variable.' },
    MESSAGE: { description: 'The result of a message.' },
  },
});

registerEnumType(ConditionMatching, {
  name: 'ConditionMatching',
  description: 'How a condition compares its subject with `value`. All comparisons are case-sensitive.',
  valuesConfig: {
    EQUAL: {
      description:
        'Subject and value are equal: as numbers if both are numbers, otherwise as texts without surrounding whitespace.',
    },
    NOT_EQUAL: { description: 'Subject and value are not equal. Compares like EQUAL.' },
    CONTAINS: { description: 'The subject contains the value.' },
    NOT_CONTAINS: { description: 'The subject does not contain the value.' },
    GREATER: {
      description: 'The subject is greater than the value: as numbers if both are numbers, otherwise as texts.',
    },
    LESS: { description: 'The subject is less than the value. Compares like GREATER.' },
    EMPTY: { description: 'The subject is missing, empty or whitespace. `value` is ignored.' },
    NOT_EMPTY: { description: 'The subject contains more than whitespace. `value` is ignored.' },
    REGEX: { description: 'The subject contains a match of the value, a regular expression in RE2 syntax.' },
  },
});

registerEnumType(ConditionAction, {
  name: 'ConditionAction',
  description: 'The effect of a condition that matches.',
  valuesConfig: {
    SKIP: { description: 'The prompt, or this round of the message, is skipped.' },
    STOP: { description: 'The run ends here with the status FINISHED.' },
    FAIL: { description: 'The run ends here with the status ERROR.' },
  },
});

const SUBJECT = 'If absent, the condition checks the first placeholder of its type in the content.';

@ObjectType({
  description:
    'A rule that skips a prompt or message, or ends the run. The first enabled condition that matches applies.',
})
export class Condition {
  @Field(() => Boolean, { description: 'Whether the condition is evaluated.' })
  isEnabled!: boolean;

  @Field(() => ConditionType, { description: 'Whether the condition checks a variable or a message.' })
  type!: ConditionType;

  @Field(() => ConditionMatching, { description: 'The comparison of the subject with `value`.' })
  matching!: ConditionMatching;

  @Field(() => String, { description: 'The text or regular expression to compare with.' })
  value!: string;

  @Field(() => ConditionAction, { description: 'The effect when the condition matches.' })
  action!: ConditionAction;

  @Field(() => Int, {
    nullable: true,
    description: `Id of the variable to check. Only for the type VARIABLE. ${SUBJECT}`,
  })
  variable!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Id of the named value of `variable`. If absent, the condition checks the first active value, in a loop over the variable the current one.',
  })
  variableName!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: `Id of the message whose last result is checked. Only for the type MESSAGE. ${SUBJECT}`,
  })
  message!: number | null;
}

@InputType({
  description:
    'A rule that skips a prompt or message, or ends the run. The first enabled condition that matches applies.',
})
export class ConditionInput {
  @Field(() => Boolean, { nullable: true, description: 'Whether the condition is evaluated. Default: true.' })
  isEnabled?: boolean | null;

  @Field(() => ConditionType, { description: 'Whether the condition checks a variable or a message.' })
  type!: ConditionType;

  @Field(() => ConditionMatching, { description: 'The comparison of the subject with `value`.' })
  matching!: ConditionMatching;

  @Field(() => String, {
    nullable: true,
    description:
      'The text to compare with: at most 10,000 characters, or 1,000 for a regular expression. Required unless `matching` is EMPTY or NOT_EMPTY.',
  })
  value?: string | null;

  @Field(() => ConditionAction, { description: 'The effect when the condition matches.' })
  action!: ConditionAction;

  @Field(() => Int, {
    nullable: true,
    description: `Id of the variable to check. Only for the type VARIABLE. ${SUBJECT}`,
  })
  variable?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Id of a named value of `variable`, which is then required. If absent, the condition checks the first active value, in a loop over the variable the current one.',
  })
  variableName?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: `Id of the message whose last result is checked. Only for the type MESSAGE. ${SUBJECT}`,
  })
  message?: number | null;
}
