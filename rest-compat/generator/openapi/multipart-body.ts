import { filePartsOf } from '../../runtime/input/inputs.js';
import type { OperationSource } from '../operation-source.js';
import { exampleValue } from './example-value.js';
import { type InputNotes, inputSchema } from './input-schema.js';
import { type JsonSchema, withDescription } from './json-schema.js';

/** The schema of a multipart form with one part per file. A request without files may be JSON. */
export function multipartBody(operation: OperationSource, notes: ReadonlyMap<string, InputNotes>): JsonSchema {
  const members = operation.inputs.filter(input => input.location === 'body');
  const isFile = (input: (typeof members)[number]) => filePartsOf(input).length > 0;
  const plain = members.filter(input => !isFile(input));
  const texts = Object.fromEntries(
    plain.map(input => [input.name, inputSchema(input, notes.get(input.name))] as const),
  );
  const files = Object.fromEntries(
    members
      .filter(isFile)
      .flatMap(input =>
        filePartsOf(input).map(part => [
          part,
          withDescription(
            { type: 'string', contentMediaType: 'application/octet-stream' },
            notes.get(input.name)?.description,
          ),
        ]),
      ),
  );
  const required = plain.filter(input => input.isRequired).map(input => input.name);
  const schema = (properties: JsonSchema): JsonSchema => ({
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
  });
  const example = exampleValue(schema(texts), '', new Map()) as JsonSchema;
  const [firstFile = ''] = Object.keys(files);
  const filesExample = { [firstFile]: 'the content of the file' };
  const needsFiles = members.some(input => isFile(input) && input.isRequired);
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: schema({ ...files, ...texts }), example: { ...filesExample, ...example } },
      ...(!needsFiles && { 'application/json': { schema: schema(texts), example } }),
    },
  };
}
