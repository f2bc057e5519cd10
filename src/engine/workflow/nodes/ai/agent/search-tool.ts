import { valueFault } from '../../../../json-schema/value-fault.js';
import type { JsonObject } from '../../../../json-value.js';
import { documentIdsOf } from '../../data/search.js';
import type { ToolSettings } from './settings.js';
import { type AgentTool, executeCall, type ToolContext } from './tool.js';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 20;

const parameters: JsonObject = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Words to search for.' },
    limit: { type: 'integer', description: `Maximum number of passages, 1-${MAX_LIMIT}. Default ${DEFAULT_LIMIT}.` },
  },
  required: ['query'],
};

/** A tool that searches the project's documents. The model chooses the query, but not the documents. */
export function searchTool(
  settings: Extract<ToolSettings, { kind: 'search' }>,
  { ports, steps }: ToolContext,
): AgentTool {
  return {
    name: 'search_documents',
    description: settings.description ?? 'Searches the documents of the project for passages.',
    parameters,
    faultOf: args => valueFault(args, parameters),
    call: (step, args) =>
      steps.call(step, call =>
        executeCall(call, async () => {
          const requestedLimit = Math.trunc(Number(args.limit ?? DEFAULT_LIMIT));
          const limit = Math.min(Math.max(requestedLimit, 1), MAX_LIMIT);
          const query = String(args.query);
          return JSON.stringify(await ports.search.search({ query, documentIds: documentIdsOf(settings), limit }));
        }),
      ),
  };
}
