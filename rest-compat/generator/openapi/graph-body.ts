import { graphVariable } from '../../runtime/input/inputs.js';
import type { OperationSource } from '../operation-source.js';
import { exampleValue } from './example-value.js';
import { inputSchema } from './input-schema.js';
import type { JsonSchema } from './json-schema.js';

/** The request that is a graph, bare or wrapped in `data` beside the other members. */
export function graphBody(operation: OperationSource, descriptions: ReadonlyMap<string, string>): JsonSchema {
  const members = operation.inputs.filter(input => input.place === 'body');
  const graph = operation.example.request ?? exampleValue({ type: 'object' }, graphVariable, new Map());
  const others = members.filter(member => member.name !== graphVariable);
  const properties = Object.fromEntries(
    members.map(member => [member.name, inputSchema(member, descriptions.get(member.name))]),
  );
  const wrapped = Object.fromEntries(
    others.map(member => [member.name, exampleValue(inputSchema(member, undefined), member.name, new Map())]),
  );
  return {
    required: true,
    description: 'The graph itself, or an object without `nodes` that holds it in `data`.',
    content: {
      'application/json': {
        schema: {
          anyOf: [
            { type: 'object', required: ['nodes'], additionalProperties: true },
            { type: 'object', properties, required: [graphVariable] },
          ],
        },
        examples: {
          bare: { summary: 'The graph', value: graph },
          wrapped: { summary: 'Wrapped', value: { [graphVariable]: graph, ...wrapped } },
        },
      },
    },
  };
}
