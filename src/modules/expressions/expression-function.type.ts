import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { JSONValue } from '../../platform/json/scalars.js';

export enum ExpressionFunctionGroup {
  TEXT = 'text',
  LIST = 'list',
  MAP = 'map',
  NUMBER = 'number',
  DATE = 'date',
  ENCODING = 'encoding',
  VALUE = 'value',
}
registerEnumType(ExpressionFunctionGroup, {
  name: 'ExpressionFunctionGroup',
  description: 'Section of a function in the documentation and in editors.',
  valuesConfig: {
    TEXT: { description: 'Functions of texts.' },
    LIST: { description: 'Functions of lists.' },
    MAP: { description: 'Functions of maps, the objects of JSON.' },
    NUMBER: { description: 'Functions of numbers.' },
    DATE: { description: 'Functions of dates and times.' },
    ENCODING: { description: 'Encodings, hashes and ids.' },
    VALUE: { description: 'Substitutes, tests of the type, and conversions.' },
  },
});

export enum ExpressionType {
  ANY = 'any',
  NULL = 'null',
  TEXT = 'text',
  NUMBER = 'number',
  BOOLEAN = 'boolean',
  LIST = 'list',
  MAP = 'map',
  INTEGER = 'integer',
  COUNT = 'count',
  DATE = 'date',
  FUNCTION = 'function',
}
registerEnumType(ExpressionType, {
  name: 'ExpressionType',
  description: 'Type of a parameter or result of a function.',
  valuesConfig: {
    ANY: { description: 'Any value.' },
    NULL: { description: 'Null.' },
    TEXT: { description: 'A text. As a parameter it also takes other values and converts them to text.' },
    NUMBER: { description: 'A number. As a parameter it also takes a text that contains a number.' },
    BOOLEAN: { description: 'True or false.' },
    LIST: { description: 'A list.' },
    MAP: { description: 'An object with members.' },
    INTEGER: { description: 'A whole number.' },
    COUNT: { description: 'A whole number from 0.' },
    DATE: { description: 'A text in ISO 8601, or milliseconds since 1970.' },
    FUNCTION: { description: 'A function of an item and its index, such as `x => x.name`.' },
  },
});

@ObjectType({ description: 'A parameter of a function.' })
export class ExpressionParameter {
  @Field(() => String, { description: 'The name of the parameter.' })
  name!: string;

  @Field(() => ExpressionType, { description: 'The type of the values that it takes.' })
  type!: ExpressionType;

  @Field(() => Boolean, { description: 'Whether the argument may be absent.' })
  isOptional!: boolean;

  @Field(() => Boolean, { description: 'Whether it takes all further arguments.' })
  isRest!: boolean;
}

@ObjectType({ description: 'A call of a function and its result.' })
export class ExpressionExample {
  @Field(() => String, { description: 'An expression without braces, such as `upper("ada")`.' })
  expression!: string;

  @Field(() => JSONValue, { nullable: true, description: 'The value of the expression.' })
  result!: unknown;
}

@ObjectType({
  description:
    'A function of the expression language. `{{ input.name | truncate: 5 }}` and `{{ truncate(input.name, 5) }}` are equal.',
})
export class ExpressionFunction {
  @Field(() => String, { description: 'The name, unique.' })
  name!: string;

  @Field(() => ExpressionFunctionGroup, { description: 'The section of the documentation.' })
  group!: ExpressionFunctionGroup;

  @Field(() => String, { description: 'Such as `truncate(text: text, length: count): text`.' })
  signature!: string;

  @Field(() => [ExpressionParameter], { description: 'The parameters in order, at most 4.' })
  parameters!: readonly ExpressionParameter[];

  @Field(() => ExpressionType, { description: 'The type of the result.' })
  returns!: ExpressionType;

  @Field(() => String, { description: 'Description of the function in Markdown.' })
  description!: string;

  @Field(() => [ExpressionExample], { description: 'At least one and at most 3 examples.' })
  examples!: readonly ExpressionExample[];

  @Field(() => Boolean, {
    description: 'Whether it accepts arguments without a value. The result of all others has no value then.',
  })
  takesMissing!: boolean;
}

@ObjectType({ description: 'A value that expressions can refer to.' })
export class ExpressionReference {
  @Field(() => String, { description: 'Such as `nodes.<node id>.content`.' })
  name!: string;

  @Field(() => String, { description: 'Description in Markdown.' })
  description!: string;
}
