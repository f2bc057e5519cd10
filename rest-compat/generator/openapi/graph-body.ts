import { graphVariable } from '../../runtime/input/inputs.js';
import type { OperationSource } from '../operation-source.js';
import { exampleValue } from './example-value.js';
import { type InputNotes, inputSchema } from './input-schema.js';
import type { JsonSchema } from './json-schema.js';

/** The request body of a route that takes a graph: the graph itself, or an object with the graph in `data`. */
export function graphBody(operation: OperationSource, notes: ReadonlyMap<string, InputNotes>): JsonSchema {
  const members = operation.inputs.filter(input => input.location === 'body');
  const graph = operation.example.request ?? exampleValue({ type: 'object' }, graphVariable, new Map());
  const others = members.filter(member => member.name !== graphVariable);
  const properties = Object.fromEntries(
    members.map(member => [member.name, inputSchema(member, notes.get(member.name))]),
  );
  const wrapped = Object.fromEntries(
    others.map(member => [member.name, exampleValue(inputSchema(member), member.name, new Map())]),
  );
  return {
    required: true,
    description: 'The graph itself, or an object without `nodes` that contains the graph in `data`.',
    content: {
      'application/json': {
        schema: {
          anyOf: [
            { allOf: [{ $ref: '#/components/schemas/WorkflowGraph' }], properties: { nodes: {} }, required: ['nodes'] },
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
