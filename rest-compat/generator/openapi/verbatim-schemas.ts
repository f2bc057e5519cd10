import type { OperationSource } from '../operation-source.js';
import { exampleValue } from './example-value.js';
import type { JsonSchema } from './json-schema.js';

/** The request body of a VERBATIM route, which passes the bytes of the body on unchanged. `@schemas` describes it. */
export function verbatimBody({ schemas, example }: OperationSource): JsonSchema {
  const schema = (schemas.request ?? { type: 'object' }) as JsonSchema;
  const sample = example.request ?? exampleValue(schema, '', new Map());
  return { required: true, content: { 'application/json': { schema, example: sample } } };
}

/** The success response of a VERBATIM route: JSON, or server-sent events if the client requests them. */
export function verbatimSuccess({ schemas, example, summary }: OperationSource): JsonSchema {
  const schema = (schemas.response ?? {}) as JsonSchema;
  const sample = example.response ?? exampleValue(schema, '', new Map());
  return {
    description: summary,
    content: {
      'application/json': { schema, example: sample },
      'text/event-stream': { schema: { type: 'string' }, example: `data: ${JSON.stringify(sample)}\n\n` },
    },
  };
}
