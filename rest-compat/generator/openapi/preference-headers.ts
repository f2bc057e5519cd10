import { MAX_WAIT_SECONDS } from '../../runtime/preferences.js';
import type { OperationSource } from '../operation-source.js';
import type { JsonSchema } from './json-schema.js';
import { canBeStrict } from './response-headers.js';

/** The header `Prefer` of a route that supports a preference (RFC 7240). */
export function preferenceParameters(operation: OperationSource): JsonSchema[] {
  const preferences = [
    canBeStrict(operation) && {
      text: '`handling=strict` rejects unknown members and parameters with 400, like the parameter `strict=true`.',
      example: 'handling=strict',
    },
    operation.route.body === 'RUN_INPUT' && {
      text: `\`wait=10\` waits for the end of the run, at most ${MAX_WAIT_SECONDS} seconds.`,
      example: 'wait=10',
    },
  ].filter(preference => preference !== false);
  const [first] = preferences;
  if (!first) return [];
  return [
    {
      name: 'Prefer',
      in: 'header',
      required: false,
      description: preferences.map(({ text }) => text).join(' '),
      schema: { type: 'string' },
      example: first.example,
    },
  ];
}
