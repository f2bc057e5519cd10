import { describe, expect, it } from '@jest/globals';
import { generate } from '../../../rest-compat/generate.js';
import { directives } from './rest-compat.harness.js';

const schema = `
  scalar Upload
  type Thing { id: Int! }
  type Query { thing: Thing! }
  type Mutation { thingAdd(files: [Upload!], file: Upload, name: String): Thing! }
`;
const OPTIONAL_FILES = '$files: [Upload!], $file: Upload, $name: String';
const operation = (body: string, variables: string) =>
  `"Add" mutation Add(${variables}) @rest(method: POST, path: "/api/v1/things/", body: ${body}) { body: thingAdd(files: $files, file: $file, name: $name) { id } }`;
const generated = (body: string, variables = OPTIONAL_FILES) =>
  generate({
    schema,
    directives,
    operations: [{ name: 'operations/a.graphql', text: operation(body, variables) }],
    version: '1',
    nodeKinds: [],
  });

describe('a MULTIPART body', () => {
  /** The described content of the body, by media type. */
  function contentOf(variables?: string) {
    const answer = generated('MULTIPART', variables);
    if ('faults' in answer) throw new Error(answer.faults.join());
    const { paths } = JSON.parse(answer.files['openapi.json'] ?? '');
    return paths['/api/v1/things/'].post.requestBody.content;
  }

  it('is described with a part for each file, five for a list', () => {
    const content = contentOf();
    expect(Object.keys(content)).toEqual(['multipart/form-data', 'application/json']);
    const { properties, required } = content['multipart/form-data'].schema;
    expect(Object.keys(properties)).toEqual(['file1', 'file2', 'file3', 'file4', 'file5', 'file', 'name']);
    expect(required).toBeUndefined();
  });

  it.each([
    ['$files: [Upload!]!, $file: Upload, $name: String', ['file1']],
    ['$files: [Upload!], $file: Upload!, $name: String!', ['file', 'name']],
  ])('with required files (%s) is not JSON and requires the parts %j', (variables, required) => {
    const content = contentOf(variables);
    expect(Object.keys(content)).toEqual(['multipart/form-data']);
    expect(content['multipart/form-data'].schema.required).toEqual(required);
  });

  it('is required for every field that takes a file', () => {
    expect(generated('JSON')).toEqual({
      faults: ['files', 'file'].map(
        name => `operations/a.graphql: Add: $${name} is a file and requires the body MULTIPART`,
      ),
    });
  });
});
