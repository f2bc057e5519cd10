import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';

export enum ConditionType {
  VARIABLE = 'variable',
  MESSAGE = 'message',
  LANGUAGE = 'language',
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
  GREATER_OR_EQUAL = 'greater_or_equal',
  LESS_OR_EQUAL = 'less_or_equal',
  STARTS_WITH = 'starts_with',
  ENDS_WITH = 'ends_with',
  IN = 'in',
  NOT_IN = 'not_in',
  BETWEEN = 'between',
  BEFORE = 'before',
  AFTER = 'after',
  ON_DATE = 'on_date',
  EXISTS = 'exists',
  NOT_EXISTS = 'not_exists',
  IS_TEXT = 'is_text',
  IS_NUMBER = 'is_number',
  IS_BOOLEAN = 'is_boolean',
  IS_LIST = 'is_list',
  IS_OBJECT = 'is_object',
}

export enum ConditionAction {
  SKIP = 'skip',
  USE = 'use',
  STOP = 'stop',
  FAIL = 'fail',
}

registerEnumType(ConditionType, {
  name: 'ConditionType',
  description: 'The kind of text that a condition checks: its subject.',
  valuesConfig: {
    VARIABLE: { description: 'The value of a variable.' },
    MESSAGE: { description: 'The result of a message.' },
    LANGUAGE: {
      description:
        'The language that the value of a variable or the result of a message is written in, as code of ISO 639-1 such as `en`. Empty if the text is too short or its language is not recognised. Cannot be compared as a date.',
    },
  },
});

registerEnumType(ConditionMatching, {
  name: 'ConditionMatching',
  description:
    'How a condition compares its subject with `value`. A missing subject is the empty text, except for EXISTS and NOT_EXISTS.',
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
    GREATER_OR_EQUAL: { description: 'The subject is greater than the value or equal. Compares like GREATER.' },
    LESS_OR_EQUAL: { description: 'The subject is less than the value or equal. Compares like GREATER.' },
    STARTS_WITH: { description: 'The subject starts with the value.' },
    ENDS_WITH: { description: 'The subject ends with the value.' },
    IN: { description: 'The subject equals an item of the value: a JSON array, or texts with commas between them.' },
    NOT_IN: { description: 'The subject equals no item of the value. Compares like IN.' },
    BETWEEN: { description: 'The subject is between the two items of the value, or equals one. Lists are as for IN.' },
    BEFORE: { description: 'The subject is a date before the value, both in ISO 8601.' },
    AFTER: { description: 'The subject is a date after the value, both in ISO 8601.' },
    ON_DATE: { description: 'Subject and value are on the same day in UTC, both in ISO 8601.' },
    EXISTS: {
      description:
        'The variable has such a value, or the message such a result, which may be empty. `value` is ignored.',
    },
    NOT_EXISTS: { description: 'The variable has no such value, or the message no such result. `value` is ignored.' },
    IS_TEXT: {
      description: 'The subject is a text: not JSON, or a JSON string. `value` is ignored.',
    },
    IS_NUMBER: { description: 'The subject is a JSON number. `value` is ignored.' },
    IS_BOOLEAN: { description: 'The subject is true or false. `value` is ignored.' },
    IS_LIST: { description: 'The subject is a JSON array. `value` is ignored.' },
    IS_OBJECT: { description: 'The subject is a JSON object. `value` is ignored.' },
  },
});

registerEnumType(ConditionAction, {
  name: 'ConditionAction',
  description: 'The effect of a condition that matches.',
  valuesConfig: {
    SKIP: { description: 'The prompt, or this round of the message, is skipped.' },
    USE: {
      description:
        'The prompt, or this round of the message, is sent. It is skipped if no condition matches and one has this action.',
    },
    STOP: { description: 'The run ends here with the status SUCCEEDED.' },
    FAIL: { description: 'The run ends here with the status FAILED.' },
  },
});

const IGNORE_CASE =
  'Whether texts are compared without regard to case. Only for EQUAL, NOT_EQUAL, CONTAINS, NOT_CONTAINS, STARTS_WITH, ENDS_WITH, IN, NOT_IN and REGEX.';
const DEFAULT_SUBJECT =
  'If absent, the condition checks the first placeholder of its type in the content, for LANGUAGE of either type.';

/** The stored form. The JSON of existing rows has these member names, so only the schema names the ids `…Id`. */
@ObjectType({
  description:
    'A rule that skips a prompt or message, or ends the run. The first enabled condition that matches applies.',
})
export class Condition {
  @Field(() => Boolean, { description: 'Whether the condition is evaluated.' })
  isEnabled!: boolean;

  @Field(() => ConditionType, { description: 'Whether the condition checks a variable, a message or a language.' })
  type!: ConditionType;

  @Field(() => ConditionMatching, { description: 'The comparison of the subject with `value`.' })
  matching!: ConditionMatching;

  @Field(() => String, { description: 'The text, list, regular expression or code of a language to compare with.' })
  value!: string;

  @Field(() => Boolean, { description: IGNORE_CASE })
  ignoreCase!: boolean;

  @Field(() => ConditionAction, { description: 'The effect when the condition matches.' })
  action!: ConditionAction;

  @Field(() => Int, {
    name: 'variableId',
    nullable: true,
    description: `Id of the variable to check. Only for the types VARIABLE and LANGUAGE. ${DEFAULT_SUBJECT}`,
  })
  variable!: number | null;

  @Field(() => Int, {
    name: 'variableNameId',
    nullable: true,
    description:
      'Id of the named value of the variable. If absent, the condition checks the first active value, in a loop over the variable the current one.',
  })
  variableName!: number | null;

  @Field(() => Int, {
    name: 'messageId',
    nullable: true,
    description: `Id of the message whose last result is checked. Only for the types MESSAGE and LANGUAGE. ${DEFAULT_SUBJECT}`,
  })
  message!: number | null;
}

/** A condition as it is stored. */
export type StoredCondition = Omit<Condition, 'ignoreCase'> & { ignoreCase?: boolean };

@InputType({
  description:
    'A rule that skips a prompt or message, or ends the run. The first enabled condition that matches applies.',
})
export class ConditionInput {
  @Field(() => Boolean, { nullable: true, description: 'Whether the condition is evaluated. Default: true.' })
  isEnabled?: boolean | null;

  @Field(() => ConditionType, { description: 'Whether the condition checks a variable, a message or a language.' })
  type!: ConditionType;

  @Field(() => ConditionMatching, { description: 'The comparison of the subject with `value`.' })
  matching!: ConditionMatching;

  @Field(() => String, {
    nullable: true,
    description:
      'The text to compare with: at most 10,000 characters, or 1,000 for a regular expression. For the type LANGUAGE and EQUAL, NOT_EQUAL, IN and NOT_IN: codes of languages. Required unless `matching` ignores it.',
  })
  value?: string | null;

  @Field(() => Boolean, { nullable: true, description: `${IGNORE_CASE} Default: false.` })
  ignoreCase?: boolean | null;

  @Field(() => ConditionAction, { description: 'The effect when the condition matches.' })
  action!: ConditionAction;

  @Field(() => Int, {
    nullable: true,
    description: `Id of the variable to check. Only for the types VARIABLE and LANGUAGE. ${DEFAULT_SUBJECT}`,
  })
  variableId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Id of a named value of the variable, which is then required. If absent, the condition checks the first active value, in a loop over the variable the current one.',
  })
  variableNameId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: `Id of the message whose last result is checked. Only for the types MESSAGE and LANGUAGE. ${DEFAULT_SUBJECT}`,
  })
  messageId?: number | null;
}
