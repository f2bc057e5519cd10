import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A model that can be asked for.' })
export class ChatModel {
  @Field(() => String, { description: 'What to ask for as `model`.' })
  id!: string;

  @Field(() => String, { description: 'Always `model`.' })
  object!: string;

  @Field(() => Int, { description: 'Always 0: providers say it in many ways, or not at all.' })
  created!: number;

  @Field(() => String, { description: 'The provider that serves it.' })
  ownedBy!: string;
}

@ObjectType({ description: 'The models that can be asked for.' })
export class ChatModelList {
  @Field(() => String, { description: 'Always `list`.' })
  object!: string;

  @Field(() => [ChatModel], { description: 'The models, at most 1000 of each provider.' })
  data!: ChatModel[];
}
