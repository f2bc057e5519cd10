import { filePartsOf } from '../../runtime/input/inputs.js';
import type { OperationSource } from '../operation-source.js';
import { exampleValue } from './example-value.js';
import { type InputNotes, inputSchema } from './input-schema.js';
import { type JsonSchema, withDescription } from './json-schema.js';

/**
 * The schema of a multipart form with one part per file. A list of files has several parts, and a required one requires the first part.
 * A request without files may be JSON.
 */
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
  const requiredTexts = plain.filter(input => input.isRequired).map(input => input.name);
  const requiredFiles = members.filter(input => isFile(input) && input.isRequired).map(input => filePartsOf(input)[0]!);
  const textSchema = objectSchema(texts, requiredTexts);
  // The body as a whole has no name that selects an example, and its schema refers to no component.
  const example = exampleValue(textSchema, '', new Map()) as JsonSchema;
  const [firstFile = ''] = Object.keys(files);
  const filesExample = { [firstFile]: 'the content of the file' };
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: objectSchema({ ...files, ...texts }, [...requiredFiles, ...requiredTexts]),
        example: { ...filesExample, ...example },
      },
      ...(requiredFiles.length === 0 && { 'application/json': { schema: textSchema, example } }),
    },
  };
}

function objectSchema(properties: JsonSchema, required: string[]): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}
