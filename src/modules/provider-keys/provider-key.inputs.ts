import { Field, InputType } from 'type-graphql';
import type { ModelProvider } from '../../platform/config/model-providers.js';
import { KeyProvider } from './provider-key.type.js';

@InputType({ description: 'A provider key to attach to a project.' })
export class ProviderKeyInput {
  @Field(() => KeyProvider, { description: 'The provider of the key.' })
  provider!: ModelProvider;

  @Field(() => String, { description: 'The name of the key, 1-255 characters.' })
  name!: string;

  @Field(() => String, {
    description: 'The key itself: 8-512 printable ASCII characters without spaces. Never returned.',
  })
  key!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The base URL of the provider: an http or https URL that ends with the version of the API, for example `https://api.example.com/v1`. At most 2,048 characters. Default: the URL configured for the service, or the public address of the provider.',
  })
  baseUrl?: string | null;
}
