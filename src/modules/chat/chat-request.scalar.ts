import { GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { isObject, isShallow, MAX_DEPTH } from '../../engine/json-value.js';
import { WrittenJson } from '../../platform/json/source-json.js';

/** A request of the chat format before it is looked at: as it was written, and what it says. */
export interface GivenChatRequest {
  text: string;
  value: Readonly<Record<string, unknown>>;
  utf8?: Buffer | undefined;
}

export const ChatRequestScalar = new GraphQLScalarType<GivenChatRequest, never>({
  name: 'ChatRequest',
  description:
    'A request of the chat-completion format, an object: `model` (a name, or `provider/name`) and `messages` (objects with `role` and `content`) are required; every other member goes on to the provider unchanged.',
  specifiedByURL: 'https://platform.openai.com/docs/api-reference/chat/create',
  // By REST it comes as it was written, read already: no variable of GraphQL is one of these.
  parseValue: given => (given instanceof WrittenJson ? given : readRequest(given)),
  parseLiteral: (node, variables) => readRequest(valueFromASTUntyped(node, variables)),
  serialize: () => {
    throw new TypeError('A request is not answered.');
  },
});

function readRequest(given: unknown): GivenChatRequest {
  if (!isObject(given)) throw new TypeError('An object is required.');
  if (!isShallow(given)) throw new TypeError(`An object that nests at most ${MAX_DEPTH} deep is required.`);
  return { text: JSON.stringify(given), value: given };
}
