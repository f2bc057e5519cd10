import { expect, it } from '@jest/globals';
import type { InvalidInputError } from '../../src/platform/errors/errors.js';
import { Faults } from '../../src/platform/errors/fields.js';

function fieldsOf(faults: Faults): unknown {
  try {
    faults.throwIfAny();
    return undefined;
  } catch (error) {
    return (error as InvalidInputError).extensions.fields;
  }
}

it('collects the faults of fields with names that every object inherits', () => {
  const [part, faults] = [new Faults(), new Faults()];
  part.add('toString', 'c');
  for (const message of ['a', 'b']) faults.add('constructor', message);
  faults.add('__proto__', 'a');
  faults.addWithin('settings', part);
  expect(JSON.stringify(fieldsOf(faults))).toBe(
    '{"constructor":["a","b"],"__proto__":["a"],"settings.toString":["c"]}',
  );
});

it.each<[value: string | null | undefined, min: 0 | 1, fields: object | undefined]>([
  [undefined, 1, undefined],
  [null, 0, undefined],
  ['', 0, undefined],
  [null, 1, { name: ['This field may not be null.'] }],
  [' ', 1, { name: ['This field may not be blank.'] }],
  ['abcd', 0, { name: ['Ensure this field has no more than 3 characters.'] }],
])('checks the text %p with at least %i characters', (value, min, fields) => {
  const faults = new Faults();
  faults.text('name', value, { min, max: 3 });
  expect(fieldsOf(faults)).toEqual(fields);
});
