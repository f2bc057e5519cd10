import { isDeepStrictEqual } from 'node:util';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { schemaFault } from '../../engine/json-schema/schema-fault.js';
import type { JsonObject } from '../../engine/json-value.js';
import type { McpQuestion, McpServer } from '../../engine/ports.js';

type Params = ElicitRequest['params'];

/** Maximum characters of the message and the schema of a question that people answer. A longer one is declined. */
const MAX_CHARACTERS = 64 * 1024;
const DECLINE: ElicitResult = { action: 'decline' };

/** Answers the questions of a server to the user. No user is present during a session. */
export class Questions {
  #unanswered: McpQuestion | undefined;

  constructor(private readonly policy: Pick<McpServer, 'elicitation' | 'answers'>) {}

  /** With the elicitation `ask`: the first question that is not among the given answers. */
  get unanswered(): McpQuestion | undefined {
    return this.#unanswered;
  }

  answer(params: Params): ElicitResult {
    if (!('requestedSchema' in params)) return DECLINE;
    const { message, requestedSchema } = params;
    switch (this.policy.elicitation) {
      case 'accept_defaults':
        return acceptDefaults(requestedSchema);
      case 'ask':
        return this.#answerFromUsers({ message, schema: requestedSchema as unknown as JsonObject });
      default:
        return DECLINE;
    }
  }

  /** A question without an answer cancels the tool call, which is repeated with the answer later. */
  #answerFromUsers(question: McpQuestion): ElicitResult {
    const { message, schema } = question;
    const known = this.policy.answers?.find(
      answer => answer.message === message && isDeepStrictEqual(answer.schema, schema),
    );
    if (known)
      return { action: known.action, ...(known.content ? { content: known.content as ElicitResult['content'] } : {}) };
    if (message.length + JSON.stringify(schema).length > MAX_CHARACTERS || schemaFault(schema) !== undefined)
      return DECLINE;
    this.#unanswered ??= question;
    return { action: 'cancel' };
  }
}

/** Returns the default values of the schema, or a refusal if a required value has none. */
function acceptDefaults({
  properties = {},
  required = [],
}: Extract<Params, { requestedSchema: unknown }>['requestedSchema']): ElicitResult {
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    'default' in property && property.default !== undefined ? [[name, property.default] as const] : [],
  );
  const content = Object.fromEntries(defaults);
  return required.every(name => Object.hasOwn(content, name))
    ? { action: 'accept', content: content as ElicitResult['content'] }
    : DECLINE;
}
