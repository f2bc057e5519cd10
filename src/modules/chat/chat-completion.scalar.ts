import { GraphQLScalarType } from 'graphql';

/** REST sends the response of the provider unchanged; GraphQL sends it as parsed JSON. */
export const ChatCompletionScalar = new GraphQLScalarType({
  name: 'ChatCompletion',
  description:
    'A chat completion in the OpenAI format: an object with `id`, `object`, `created`, `model`, `choices` and `usage`.',
  specifiedByURL: 'https://platform.openai.com/docs/api-reference/chat/object',
  serialize: value => value,
  parseValue: () => {
    throw new TypeError('ChatCompletion is an output type and cannot be an input.');
  },
  parseLiteral: () => {
    throw new TypeError('ChatCompletion is an output type and cannot be an input.');
  },
});
