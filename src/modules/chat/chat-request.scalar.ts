import { GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { isObject, isShallow, MAX_DEPTH } from '../../engine/json-value.js';
import { SourceJson } from '../../platform/json/source-json.js';

/** A request to a model API that is not validated: its text and its parsed value. */
export interface ChatRequestInput {
  text: string;
  value: Readonly<Record<string, unknown>>;
  /** The UTF-8 bytes of `text`, if they are known: a request over REST. */
  utf8?: Buffer | undefined;
}

export const ChatRequestScalar = createRequestScalar(
  'ChatRequest',
  'A chat completion request in the OpenAI format, an object. `model` (a name, or `provider/name`) and `messages` (objects with `role` and `content`) are required. All other members are passed to the provider unchanged. Example: `{model: "gpt-4o-mini", messages: [{role: "user", content: "Hello"}]}`.',
  'https://platform.openai.com/docs/api-reference/chat/create',
);

export const EmbeddingsRequestScalar = createRequestScalar(
  'EmbeddingsRequest',
  'An embeddings request in the OpenAI format, an object. `model` (a name, or `provider/name`) and `input` (a text or a list of texts) are required. Example: `{model: "text-embedding-3-small", input: "Hello"}`.',
  'https://platform.openai.com/docs/api-reference/embeddings/create',
);

export const ModelResponseRequestScalar = createRequestScalar(
  'ModelResponseRequest',
  'A request in the format of the OpenAI Responses API, an object. `model` (a name, or `provider/name`) and `input` (a text or a list of items) are required. Example: `{model: "gpt-4o-mini", input: "Hello"}`.',
  'https://platform.openai.com/docs/api-reference/responses/create',
);

export const ModelMessageRequestScalar = createRequestScalar(
  'ModelMessageRequest',
  'A request in the format of the Anthropic Messages API, an object. `model` (a name, or `provider/name`), `max_tokens` and `messages` (objects with `role` and `content`) are required. Example: `{model: "claude-haiku-4-5", max_tokens: 100, messages: [{role: "user", content: "Hello"}]}`.',
  'https://docs.anthropic.com/en/api/messages',
);

function createRequestScalar(name: string, description: string, specifiedByURL: string) {
  return new GraphQLScalarType<ChatRequestInput, never>({
    ...{ name, description, specifiedByURL },
    // REST passes the parsed body with its original text as SourceJson; variables of GraphQL never have this class.
    parseValue: input => (input instanceof SourceJson ? input : readRequest(input)),
    parseLiteral: (node, variables) => readRequest(valueFromASTUntyped(node, variables)),
    serialize: () => {
      throw new TypeError(`${name} is an input type and cannot be an output.`);
    },
  });
}

function readRequest(input: unknown): ChatRequestInput {
  if (!isObject(input)) throw new TypeError('The request must be an object.');
  if (!isShallow(input)) throw new TypeError(`The request must nest at most ${MAX_DEPTH} levels deep.`);
  return { text: JSON.stringify(input), value: input };
}
