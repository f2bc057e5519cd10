import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { environmentName, MODEL_PROVIDERS } from '../../platform/config/model-providers.js';
import { DateTime } from '../../platform/json/scalars.js';
import { PROVIDER_PROTOCOLS } from '../../providers/llm/all.js';

/** The GraphQL names of the providers with their stored values. */
export const KeyProvider = Object.fromEntries(MODEL_PROVIDERS.map(name => [environmentName(name), name]));
registerEnumType(KeyProvider, {
  name: 'KeyProvider',
  description: 'A model provider for which keys can be attached.',
  valuesConfig: Object.fromEntries(
    MODEL_PROVIDERS.map(name => [environmentName(name), { description: PROVIDER_PROTOCOLS[name].description }]),
  ),
});

@ObjectType({ description: 'A provider key of a project. Only its last four characters are shown.' })
export class ProviderKey {
  @Field(() => Int, { description: 'The id of the key. Unique.' })
  id!: number;

  @Field(() => KeyProvider, { description: 'The provider of the key.' })
  provider!: string;

  @Field(() => String, { description: 'The name of the key.' })
  name!: string;

  @Field(() => String, { description: 'The last four characters of the key.' })
  last4!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The base URL of the provider for this key. Null: the URL configured for the service, or the public address of the provider.',
  })
  baseUrl!: string | null;

  @Field(() => DateTime, { description: 'When the key was attached.' })
  createdAt!: Date;
}

@ObjectType({ description: 'The result of the test of a provider key.' })
export class ProviderKeyTest {
  @Field(() => Boolean, { description: 'Whether the provider accepted the key and listed its models.' })
  isAccepted!: boolean;

  @Field(() => Int, { description: 'The number of listed models. 0 if the test failed.' })
  modelsCount!: number;

  @Field(() => String, { nullable: true, description: 'The reason of the failure. Null if the key was accepted.' })
  error!: string | null;
}
