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
  description: 'The kind of work that a dead letter belongs to. Each kind has a queue.',
  valuesConfig: {
    WORKFLOW: { description: 'A run of a workflow.' },
    SCENARIO: { description: 'A run of a scenario.' },
    KEYWORD: { description: 'A keyword run.' },
    RECOGNITION: { description: 'A recognition run.' },
    WEBHOOK: { description: 'A webhook delivery.' },
  },
});

@ObjectType({
  description: 'A run that failed because its workers died, or a webhook delivery that was given up. Kept for 30 days.',
})
export class DeadLetter {
  @Field(() => UUID, { description: 'Unique within its kind; of a webhook delivery the delivery’s id.' })
  id!: string;

  @Field(() => DeadLetterKindName, { description: 'The kind of work.' })
  kind!: `${DeadLetterKindName}`;

  @Field(() => Int, { description: 'The project it belongs to.' })
  projectId!: number;

  @Field(() => String, { description: 'The id of the run or of the delivery.' })
  subjectId!: string;

  @Field(() => String, { description: 'Why it failed.' })
  error!: string;

  @Field(() => DateTime, { description: 'When it failed.' })
  createdAt!: Date;
}

@ObjectType({ description: 'One page of dead letters.' })
export class DeadLetterPage extends pageOf(DeadLetter) {}

@ObjectType({ description: 'What a redrive started.' })
export class DeadLetterRedrive {
  @Field(() => DeadLetterKindName, { description: 'The kind of work.' })
  kind!: `${DeadLetterKindName}`;

  @Field(() => String, { description: 'The id of the new run; of a webhook delivery its own id.' })
  startedId!: string;
}
