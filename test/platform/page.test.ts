import { expect, it } from '@jest/globals';
import { InvalidInputError } from '../../src/platform/errors/errors.js';
import { toContainsPattern, toLimitOffset } from '../../src/platform/lists/page.js';

it('converts a page into limit and offset', () => {
  expect(toLimitOffset({ page: 1, size: 10 })).toEqual({ limit: 10, offset: 0 });
  expect(toLimitOffset({ page: 3, size: 25 })).toEqual({ limit: 25, offset: 50 });
  expect(toLimitOffset({ page: 1, size: 0 })).toEqual({ limit: 0, offset: 0 });
});

it('names each number that is out of range', () => {
  const attempt = () => toLimitOffset({ page: 0, size: 101 });
  expect(attempt).toThrow(InvalidInputError);
  try {
    attempt();
  } catch (error) {
    expect((error as InvalidInputError).extensions.fields).toEqual({
      page: ['Ensure this value is greater than or equal to 1.'],
      size: ['Ensure this value is between 0 and 100.'],
    });
  }
});

it('treats % and _ as plain characters', () => {
  expect(toContainsPattern('50%_a\\b')).toBe('%50\\%\\_a\\\\b%');
});
