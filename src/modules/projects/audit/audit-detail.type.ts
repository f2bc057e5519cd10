import { Field, Float, ObjectType, registerEnumType } from 'type-graphql';

export enum AuditDetailKind {
  TEXT = 'text',
  NUMBER = 'number',
  BOOLEAN = 'boolean',
  NULL = 'null',
  EMPTY = 'empty',
}
registerEnumType(AuditDetailKind, {
  name: 'AuditDetailKind',
  description: 'The kind of value of a detail.',
  valuesConfig: {
    TEXT: { description: 'A text, in `text`. Amounts and times are texts.' },
    NUMBER: { description: 'A number, in `number`.' },
    BOOLEAN: { description: 'A boolean, in `isTrue`.' },
    NULL: { description: 'The value null: none.' },
    EMPTY: { description: 'An empty list or object.' },
  },
});

@ObjectType({ description: 'One value of the details of an action.' })
export class AuditDetail {
  @Field(() => String, {
    description:
      'The members that lead to the value, joined by dots, such as `email`, `to.runFee` or `allowedHosts.0`. A change has the values before in `from` and after in `to`.',
  })
  path!: string;

  @Field(() => AuditDetailKind, { description: 'Which of the other fields has the value.' })
  kind!: `${AuditDetailKind}`;

  @Field(() => String, { nullable: true, description: 'The value of the kind `TEXT`. Otherwise null.' })
  text!: string | null;

  @Field(() => Float, { nullable: true, description: 'The value of the kind `NUMBER`. Otherwise null.' })
  number!: number | null;

  @Field(() => Boolean, { nullable: true, description: 'The value of the kind `BOOLEAN`. Otherwise null.' })
  isTrue!: boolean | null;
}
