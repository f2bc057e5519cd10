import { Field, InputType } from 'type-graphql';
import type { ModelProvider } from '../../platform/config/model-providers.js';
import { KeyProvider } from './provider-key.type.js';

@InputType({ description: 'A key to attach to a project.' })
export class ProviderKeyInput {
  @Field(() => KeyProvider, { description: 'The provider that it is for.' })
  provider!: ModelProvider;

  @Field(() => String, { description: 'What the project calls it, 1-255 characters.' })
  name!: string;

  @Field(() => String, {
    description: 'The key itself: 8-512 printable ASCII characters without spaces. Never returned.',
  })
  key!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Where to call the provider with it: an http or https URL that ends in the version of the interface, such as `/v1`. Absent: where the service calls it, or the provider’s own address.',
  })
  baseUrl?: string | null;
}
