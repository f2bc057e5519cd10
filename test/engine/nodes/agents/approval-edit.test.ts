import { describe, expect, it } from '@jest/globals';
import { MASK } from '../../../../src/engine/secrets.js';
import { applyEdit } from '../../../../src/engine/workflow/graph/approvals/approval-edit.js';

const masked = (name: string) => ({ name, key: MASK });
const original = (name: string) => ({ name, key: `secret-of-${name}` });

describe('edited arguments get the secrets of the request', () => {
  it.each([
    ['unchanged members', { to: 'Ada', key: MASK }, { to: 'Eve', key: MASK }, { to: 'Eve', key: 'secret' }],
    ['no changed text', { to: 'Ada', key: MASK }, { to: 'Ada', key: 'new' }, { to: 'Ada', key: 'new' }],
    ['no new member', { to: 'Ada', key: MASK }, { copy: MASK }, { copy: MASK }],
  ])('in %s', (_, shown, edited, expected) => {
    expect(applyEdit({ shown, edited }, { to: 'Ada', key: 'secret' })).toEqual(expected);
  });

  const [a, b, c] = [original('a'), original('b'), original('c')];
  it.each([
    ['the first is removed', [masked('b')], [b]],
    ['items are moved', [masked('b'), masked('a')], [b, a]],
    ['an item is inserted', [c, masked('a'), masked('b')], [c, a, b]],
    ['one item is changed', [{ ...masked('a'), name: 'z' }, masked('b')], [{ ...a, name: 'z' }, b]],
    ['the members of an item are reordered', [{ key: MASK, name: 'b' }], [b]],
  ])('in a list, when %s', (_, edited, expected) => {
    expect(applyEdit({ shown: [masked('a'), masked('b')], edited }, [a, b])).toEqual(expected);
  });

  it('keeps equal items in their order', () => {
    const shown = [MASK, MASK, 'x'];
    expect(applyEdit({ shown, edited: [MASK, MASK, 'y'] }, ['one', 'two', 'x'])).toEqual(['one', 'two', 'y']);
  });
});

it.each([
  ['one of two equal items is removed', [MASK, MASK], [MASK]],
  ['one of two equal items is replaced', [MASK, MASK], [MASK, 'y']],
  ['an item is copied', [masked('a')], [masked('a'), masked('a')]],
  ['an item is changed and another one removed', [masked('a'), masked('b')], [masked('z')]],
  ['two items are changed', [masked('a'), masked('b')], [masked('y'), masked('z')]],
])('no item of a list gets the secret of another: %s', (_, shown, edited) => {
  const originals = shown.map((_item, index) => (typeof shown[0] === 'string' ? `secret-${index}` : original('a')));
  expect(applyEdit({ shown, edited }, originals)).toEqual(edited);
});
