import type { JsonObject } from '../../../json-value.js';
import { documentIdsOf } from '../search.js';
import { valueFault } from './arguments-schema.js';
import type { ToolSettings } from './settings.js';
import { type AgentTool, answered, type ToolContext } from './tool.js';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 20;

const parameters: JsonObject = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Words to look for.' },
    limit: { type: 'integer', description: `Most passages, 1-${MAX_LIMIT}. Default ${DEFAULT_LIMIT}.` },
  },
  required: ['query'],
};

/** Searches the project's documents; the model may choose the words, never the documents. */
export function searchTool(
  settings: Extract<ToolSettings, { kind: 'search' }>,
  { ports, steps }: ToolContext,
): AgentTool {
  return {
    name: 'search_documents',
    description: settings.description ?? 'Finds passages in the documents of the project.',
    parameters,
    faultOf: args => valueFault(args, parameters),
    call: (step, args) =>
      steps.call(step, call =>
        answered(call, async () => {
          const asked = Math.trunc(Number(args.limit ?? DEFAULT_LIMIT));
          const limit = Math.min(Math.max(asked, 1), MAX_LIMIT);
          const query = String(args.query);
          return JSON.stringify(await ports.search.search({ query, documentIds: documentIdsOf(settings), limit }));
        }),
      ),
  };
}
