import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../../base/scalars.js';

@ObjectType({ description: 'A provider’s key attached to a project, shown by its last four characters.' })
export class ProviderKey {
  @Field(() => Int, { description: 'Unique.' })
  id!: number;

  @Field(() => String, { description: 'The provider it is for, for example `openai`.' })
  provider!: string;

  @Field(() => String, { description: 'What the project calls it.' })
  name!: string;

  @Field(() => String, { description: 'The last four characters of the key.' })
  last4!: string;

  @Field(() => DateTime, { description: 'When it was attached.' })
  createdAt!: Date;
}
