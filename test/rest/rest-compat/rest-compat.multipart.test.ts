import { describe, expect, it } from '@jest/globals';
import { generate } from '../../../rest-compat/generate.js';
import { directives } from './rest-compat.harness.js';

const schema = `
  scalar Upload
  type Thing { id: Int! }
  type Query { thing: Thing! }
  type Mutation { thingAdd(files: [Upload!], file: Upload): Thing! }
`;
const operation = (body: string) =>
  `"Add" mutation Add($files: [Upload!], $file: Upload) @rest(method: POST, path: "/api/v1/things/", body: ${body}) { body: thingAdd(files: $files, file: $file) { id } }`;
const generated = (body: string) =>
  generate({
    schema,
    directives,
    operations: [{ name: 'operations/a.graphql', text: operation(body) }],
    version: '1',
    nodeKinds: [],
  });

describe('a MULTIPART body', () => {
  it('is described with a part for each file, five for a list', () => {
    const answer = generated('MULTIPART');
    if ('faults' in answer) throw new Error(answer.faults.join());
    const { paths } = JSON.parse(answer.files['openapi.json'] ?? '');
    const content = paths['/api/v1/things/'].post.requestBody.content;
    expect(Object.keys(content)).toEqual(['multipart/form-data', 'application/json']);
    const parts = content['multipart/form-data'].schema.properties;
    expect(Object.keys(parts)).toEqual(['file1', 'file2', 'file3', 'file4', 'file5', 'file']);
  });

  it('is required for every field that takes a file', () => {
    expect(generated('JSON')).toEqual({
      faults: ['files', 'file'].map(
        name => `operations/a.graphql: Add: $${name} is a file and requires the body MULTIPART`,
      ),
    });
  });
});
