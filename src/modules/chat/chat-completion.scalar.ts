import { GraphQLScalarType } from 'graphql';

/** By REST the answer goes through as it is; by GraphQL it is the JSON that it says. */
export const ChatCompletionScalar = new GraphQLScalarType({
  name: 'ChatCompletion',
  description:
    'A chat completion as the provider gave it: an object with `id`, `object`, `created`, `model`, `choices` and `usage`.',
  specifiedByURL: 'https://platform.openai.com/docs/api-reference/chat/object',
  serialize: value => value,
  parseValue: () => {
    throw new TypeError('A completion is not given.');
  },
  parseLiteral: () => {
    throw new TypeError('A completion is not given.');
  },
});
