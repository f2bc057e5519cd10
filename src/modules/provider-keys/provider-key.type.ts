import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { environmentName, MODEL_PROVIDERS } from '../../platform/config/model-providers.js';
import { DateTime } from '../../platform/json/scalars.js';
import { PROVIDER_PROTOCOLS } from '../../providers/llm/all.js';

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

  @Field(() => String, {
    nullable: true,
    description:
      'Where the provider is called with it; null: where the service calls it, or the provider’s own address.',
  })
  baseUrl!: string | null;

  @Field(() => DateTime, { description: 'When it was attached.' })
  createdAt!: Date;
}

/** Values of the enum by name: the providers as they are stored. */
export const KeyProvider = Object.fromEntries(MODEL_PROVIDERS.map(name => [environmentName(name), name]));
registerEnumType(KeyProvider, {
  name: 'KeyProvider',
  description: 'A provider of models that keys can be attached for.',
  valuesConfig: Object.fromEntries(
    MODEL_PROVIDERS.map(name => [environmentName(name), { description: PROVIDER_PROTOCOLS[name].description }]),
  ),
});

@ObjectType({ description: 'What a provider said to a key.' })
export class ProviderKeyTest {
  @Field(() => Boolean, { description: 'Whether the provider listed its models to the key.' })
  isAccepted!: boolean;

  @Field(() => Int, { description: 'How many models it listed.' })
  modelsCount!: number;

  @Field(() => String, { nullable: true, description: 'Why it did not; null when it did.' })
  error!: string | null;
}
