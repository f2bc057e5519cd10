import { GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { isObject, isShallow, MAX_DEPTH } from '../../engine/json-value.js';
import { SourceJson } from '../../platform/json/source-json.js';

/** A chat request that is not validated: its text and its parsed value. */
export interface ChatRequestInput {
  text: string;
  value: Readonly<Record<string, unknown>>;
  utf8?: Buffer | undefined;
}

export const ChatRequestScalar = new GraphQLScalarType<ChatRequestInput, never>({
  name: 'ChatRequest',
  description:
    'A chat completion request in the OpenAI format, an object. `model` (a name, or `provider/name`) and `messages` (objects with `role` and `content`) are required. All other members are passed to the provider unchanged. Example: `{model: "gpt-4o-mini", messages: [{role: "user", content: "Hello"}]}`.',
  specifiedByURL: 'https://platform.openai.com/docs/api-reference/chat/create',
  // REST passes the parsed body with its original text as SourceJson; variables of GraphQL never have this class.
  parseValue: input => (input instanceof SourceJson ? input : readRequest(input)),
  parseLiteral: (node, variables) => readRequest(valueFromASTUntyped(node, variables)),
  serialize: () => {
    throw new TypeError('ChatRequest is an input type and cannot be an output.');
  },
});

function readRequest(input: unknown): ChatRequestInput {
  if (!isObject(input)) throw new TypeError('The request must be an object.');
  if (!isShallow(input)) throw new TypeError(`The request must nest at most ${MAX_DEPTH} levels deep.`);
  return { text: JSON.stringify(input), value: input };
}
