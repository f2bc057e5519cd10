import { runPartsVariable } from '../../runtime/input/inputs.js';
import type { OperationSource } from '../operation-source.js';
import type { JsonSchema } from './json-schema.js';

/** The request body of a run: flat, wrapped or text. An empty body means no input or, when a run is repeated, the earlier input. */
export function runInputBody(operation: OperationSource): JsonSchema {
  const input = operation.example.request ?? { topic: 'refunds' };
  return {
    required: false,
    description:
      'With an API key: the input itself, as a JSON object or as text for the first input field. With a session: an object with the member `input_data`.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            input_data: {
              $ref: '#/components/schemas/RunInput',
              description: 'With a session: the input values by field id.',
            },
          },
          additionalProperties: true,
        },
        examples: {
          flat: { summary: 'With an API key', value: input },
          wrapped: { summary: 'With a session', value: { input_data: input } },
        },
      },
      'text/plain': { schema: { type: 'string' }, example: 'How long do refunds take?' },
      ...(operation.inputs.some(({ name }) => name === runPartsVariable) && { 'multipart/form-data': formBody(input) }),
    },
  };
}

/** A form with one part per field. The fields depend on the workflow. */
function formBody(input: unknown): JsonSchema {
  return {
    schema: {
      type: 'object',
      description:
        'Each part is the value of the input field with its name: a text, or a file for a field of the type file.',
      additionalProperties: { type: 'string' },
    },
    example: input,
  };
}
