import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime, UUID } from '../../platform/json/scalars.js';
import { pageOf } from '../../platform/lists/page.type.js';

export enum DeadLetterKindName {
  WORKFLOW = 'workflow',
  SCENARIO = 'scenario',
  KEYWORD = 'keyword',
  RECOGNITION = 'recognition',
  WEBHOOK = 'webhook',
}
registerEnumType(DeadLetterKindName, {
  name: 'DeadLetterKind',
  description: 'The kind of work of a dead letter. Each kind has its own queue.',
  valuesConfig: {
    WORKFLOW: { description: 'A workflow run.' },
    SCENARIO: { description: 'A scenario run.' },
    KEYWORD: { description: 'A keyword run.' },
    RECOGNITION: { description: 'A recognition run.' },
    WEBHOOK: { description: 'A webhook delivery.' },
  },
});

@ObjectType({
  description:
    'A run that failed because its workers crashed, or a webhook delivery that failed permanently. Kept for 30 days.',
})
export class DeadLetter {
  @Field(() => UUID, {
    description: 'The id of the dead letter, unique within its kind. For a webhook delivery: the id of the delivery.',
  })
  id!: string;

  @Field(() => DeadLetterKindName, { description: 'The kind of the work.' })
  kind!: `${DeadLetterKindName}`;

  @Field(() => Int, { description: 'The id of the project.' })
  projectId!: number;

  @Field(() => String, { description: 'The id of the failed run or delivery.' })
  subjectId!: string;

  @Field(() => String, { description: 'The reason of the failure.' })
  error!: string;

  @Field(() => DateTime, { description: 'When the run or delivery failed.' })
  createdAt!: Date;
}

@ObjectType({ description: 'One page of dead letters.' })
export class DeadLetterPage extends pageOf(DeadLetter) {}

@ObjectType({ description: 'The result of a redrive.' })
export class DeadLetterRedrive {
  @Field(() => DeadLetterKindName, { description: 'The kind of the work.' })
  kind!: `${DeadLetterKindName}`;

  @Field(() => String, { description: 'The id of the new run. For a webhook delivery: the id of the delivery.' })
  startedId!: string;
}
