import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A model that chat completions can use.' })
export class ChatModel {
  @Field(() => String, {
    description:
      'The value for `model` in a request: the name of the model, or `provider/name` if the bare name selects another provider.',
  })
  id!: string;

  @Field(() => String, { description: 'Always `model`.' })
  object!: string;

  @Field(() => Int, {
    description: 'Always 0, because providers report creation times in different formats or not at all.',
  })
  created!: number;

  @Field(() => String, { description: 'The provider that serves the model, for example `openai`.' })
  ownedBy!: string;
}

@ObjectType({ description: 'The models that chat completions can use.' })
export class ChatModelList {
  @Field(() => String, { description: 'Always `list`.' })
  object!: string;

  @Field(() => [ChatModel], { description: 'The models, at most 1,000 of each provider.' })
  data!: ChatModel[];
}
