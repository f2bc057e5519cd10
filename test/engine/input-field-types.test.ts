import { expect, test } from '@jest/globals';
import { parseInputFields, prepareInput } from '../../src/engine/workflow/graph/input-fields.js';
import { toolInputSchema } from '../../src/engine/workflow/graph/tool-input-schema.js';

const options = [{ value: 'a' }, { value: 'b' }];
const faultOf = (type: string, value: unknown) =>
  prepareInput(parseInputFields([{ id: 'x', type, ...(type === 'multiselect' && { options }) }]), { x: value })
    .faults[0]?.message;

test.each<[string, unknown]>([
  ['email', 'ann@example.com'],
  ['url', 'https://example.com/a?b=1'],
  ['date', '2024-02-29'],
  ['datetime', '2024-02-29T10:30'],
  ['datetime', '2024-02-29T10:30:00.000Z'],
  ['multiselect', ['a', 'b']],
  ['multiselect', '["a"]'],
  ['multiselect', []],
  ['file', 7],
  ['file', '7'],
  ['file', 'https://example.com/a.pdf'],
])('a field of the type %s accepts %j', (type, value) => {
  expect(faultOf(type, value)).toBeUndefined();
});

test.each<[string, unknown, string]>([
  ['email', 'ann', 'must be an e-mail address'],
  ['email', 5, 'must be an e-mail address'],
  ['url', 'example.com', 'must be a URL that starts with http:// or https://'],
  ['url', 'javascript:alert(1)', 'must be a URL that starts with http:// or https://'],
  ['date', '2023-02-29', 'must be a date in the form YYYY-MM-DD'],
  ['date', '29.02.2024', 'must be a date in the form YYYY-MM-DD'],
  ['datetime', '2024-02-29', 'must be a date and time in the form YYYY-MM-DDThh:mm'],
  ['datetime', '2024-02-29T99:00', 'must be a date and time in the form YYYY-MM-DDThh:mm'],
  ['multiselect', 'a', 'must be a list'],
  ['multiselect', ['a', 'c'], 'each item must be one of a, b'],
  ['file', 'a.pdf', 'must be a file, the id of a file or document, or a URL'],
  ['file', -1, 'must be a file, the id of a file or document, or a URL'],
])('a field of the type %s refuses %j', (type, value, message) => {
  expect(faultOf(type, value)).toBe(message);
});

test.each(['unknown', 'constructor'])('a field of the unknown type %s is an argument of any type', type => {
  expect(toolInputSchema(parseInputFields([{ id: 'x', type }])).properties).toEqual({ x: { title: 'x' } });
});
