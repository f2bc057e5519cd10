import { GraphQLScalarType } from 'graphql';

export const ChatCompletionScalar = createAnswerScalar(
  'ChatCompletion',
  'A chat completion in the OpenAI format: an object with `id`, `object`, `created`, `model`, `choices` and `usage`.',
  'https://platform.openai.com/docs/api-reference/chat/object',
);

export const EmbeddingsScalar = createAnswerScalar(
  'Embeddings',
  'Embeddings in the OpenAI format: an object with `object`, `data`, `model` and `usage`. `data` has one vector for each input.',
  'https://platform.openai.com/docs/api-reference/embeddings/create',
);

export const ModelResponseScalar = createAnswerScalar(
  'ModelResponse',
  'A response in the format of the OpenAI Responses API: an object with `id`, `object`, `status`, `model`, `output` and `usage`.',
  'https://platform.openai.com/docs/api-reference/responses/object',
);

export const ModelMessageScalar = createAnswerScalar(
  'ModelMessage',
  'A message in the format of the Anthropic Messages API: an object with `id`, `type`, `role`, `model`, `content`, `stop_reason` and `usage`.',
  'https://docs.anthropic.com/en/api/messages',
);

/** REST sends the response of the provider unchanged; GraphQL sends it as parsed JSON. */
function createAnswerScalar(name: string, description: string, specifiedByURL: string): GraphQLScalarType {
  const refuse = () => {
    throw new TypeError(`${name} is an output type and cannot be an input.`);
  };
  return new GraphQLScalarType({
    ...{ name, description, specifiedByURL },
    serialize: value => value,
    parseValue: refuse,
    parseLiteral: refuse,
  });
}
