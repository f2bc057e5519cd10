import type { OperationSource } from '../operation-source.js';
import { exampleValue } from './example-value.js';
import type { JsonSchema } from './json-schema.js';

/** The request that goes on as it is. */
export function verbatimBody({ schemas, example }: OperationSource): JsonSchema {
  const schema = (schemas.request ?? { type: 'object' }) as JsonSchema;
  const shown = example.request ?? exampleValue(schema, '', new Map());
  return { required: true, content: { 'application/json': { schema, example: shown } } };
}

/** The answer that comes back as it is; in events where the client asked for them. */
export function verbatimSuccess({ schemas, example, summary }: OperationSource): JsonSchema {
  const schema = (schemas.response ?? {}) as JsonSchema;
  const shown = example.response ?? exampleValue(schema, '', new Map());
  return {
    description: summary,
    content: {
      'application/json': { schema, example: shown },
      'text/event-stream': { schema: { type: 'string' }, example: `data: ${JSON.stringify(shown)}\n\n` },
    },
  };
}
