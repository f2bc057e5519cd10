import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { type FieldErrors, InvalidInputError } from '../../platform/errors/errors.js';
import { MutationError, refusal, type TypedRefusal } from '../../platform/graphql/mutation-error.type.js';

export enum PublishRequirement {
  MARKET_TITLE = 'marketTitle',
  SHORT_DESCRIPTION = 'shortDescription',
  LANGUAGES = 'availableLanguages',
  TEMPLATE_RUN = 'useAsMarketplaceTemplate',
}
registerEnumType(PublishRequirement, {
  name: 'PublishRequirement',
  description: 'Requirements that a workflow does not meet yet. It cannot be published before.',
  valuesConfig: {
    MARKET_TITLE: { description: 'A title for the marketplace.' },
    SHORT_DESCRIPTION: { description: 'A short description.' },
    LANGUAGES: { description: 'At least one language.' },
    TEMPLATE_RUN: { description: 'A succeeded run that is marked as the marketplace template.' },
  },
});

/** The GraphQL type of one missing requirement. The error that is thrown has all of them. */
@ObjectType('PublishRefusedError', {
  implements: MutationError,
  description: 'A workflow cannot be published yet. One error for each missing requirement.',
})
export class PublishRefusal extends MutationError {
  @Field(() => PublishRequirement, { description: 'The missing requirement.' })
  requirement!: PublishRequirement;
}

/** Thrown if a workflow does not meet the requirements of the marketplace. */
export class PublishRefusedError extends InvalidInputError implements TypedRefusal {
  constructor(private readonly missing: Partial<Record<PublishRequirement, string>>) {
    super(Object.fromEntries(Object.entries(missing).map(([name, message]) => [name, [message]])) as FieldErrors);
  }

  toMutationErrors(): MutationError[] {
    return Object.entries(this.missing).map(([name, message]) =>
      refusal(PublishRefusal, {
        code: 'BAD_USER_INPUT',
        message,
        path: [name],
        requirement: name as PublishRequirement,
      }),
    );
  }
}
