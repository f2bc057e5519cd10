import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/engine/json-value.js';
import {
  MASK,
  maskInput,
  maskSecrets,
  maskValues,
  restoreInput,
  restoreSecrets,
  secretsOfTrigger,
  secretValues,
} from '../../src/engine/secrets.js';
import { trigger, workflow } from './samples.js';

const field = (id: string, default_value: unknown, is_secret = true) => ({
  id,
  type: 'text',
  default_value,
  is_secret,
});
const withFields = (...fields: JsonObject[]) => workflow([trigger('t', { input_fields: fields })]);
const defaults = (data: unknown) =>
  [...JSON.stringify(data).matchAll(/"default_value":("[^"]*"|[^,}]*)/g)].map(match => match[1]);

describe('secret default values', () => {
  test('are removed from every trigger, nested ones included, and nothing else changes', () => {
    const data = workflow([
      trigger('t', { input_fields: [field('key', 'sk-1'), field('name', 'Ada', false), field('none', '')] }),
      trigger('u', { input_fields: [field('other', 12345)], body: withFields(field('inner', 'deep')) }),
    ]);
    const before = JSON.stringify(data);
    const { data: masked, secrets } = maskSecrets(data);
    expect(secrets).toEqual({ key: 'sk-1', other: '12345', inner: 'deep' });
    expect(defaults(masked)).toEqual([`"${MASK}"`, '"Ada"', '""', `"${MASK}"`, `"${MASK}"`]);
    expect(JSON.stringify(data)).toBe(before);
  });

  test('of a new workflow may be the mask itself', () => {
    expect(maskSecrets(withFields(field('key', MASK))).secrets).toEqual({ key: MASK });
  });

  const stored = { secrets: { key: 'sk-1', '': 'sk-0', 5: 'sk-5' } };

  test.each<[string, JsonObject, JsonObject, string]>([
    ['kept when the mask is sent back', field('key', MASK), { key: 'sk-1' }, MASK],
    ['replaced by a new value', field('key', 'sk-2'), { key: 'sk-2' }, MASK],
    ['not inherited by a renamed field, which stores the mask', field('token', MASK), { token: MASK }, MASK],
    ['lost when the field is made public while the mask is sent', field('key', MASK, false), {}, ''],
    ['not confused with a public field that holds the mask as a text', field('note', MASK, false), {}, MASK],
    ['emptied by an empty text', field('key', ''), {}, ''],
    ['gone when the field is made public with another value', field('key', 'open', false), {}, 'open'],
    ['found only by the id', field('undefined', MASK), { undefined: MASK }, MASK],
    ['not confused with a public field whose id is not a text', { ...field('', MASK, false), id: 5 }, {}, MASK],
    ['kept under an empty id', field('', MASK), { '': 'sk-0' }, MASK],
  ])('are %s', (_title, sent, secrets, shown) => {
    const result = restoreSecrets(withFields(sent), stored);
    expect(result.secrets).toEqual(secrets);
    expect(defaults(result.data)).toEqual([JSON.stringify(shown)]);
    expect(JSON.stringify(result.data)).not.toContain('sk-');
  });

  test('of two triggers with the same field id are separate', () => {
    const data = workflow([
      trigger('t', { input_fields: [field('key', 'one')] }),
      trigger('u', { input_fields: [field('key', 'two'), field('other', 'three')] }),
    ]);
    const first = maskSecrets(data);
    expect(first.secrets).toEqual({ key: 'one', '["u","key"]': 'two', other: 'three' });
    expect(restoreSecrets(first.data, first)).toEqual(first);
    const own = (id: string, more: JsonObject = {}) => secretsOfTrigger({ id, data: { id, ...more } }, first.secrets);
    expect(own('t')).toMatchObject({ key: 'one', other: 'three' });
    expect(own('u')).toMatchObject({ key: 'two', other: 'three' });
    expect(own('node', { id: 'u' })).toMatchObject({ key: 'two' });
    expect(own('u', { id: undefined })).toMatchObject({ key: 'two' });
    expect(secretsOfTrigger({ id: 'u', data: {} })).toEqual({});
  });

  test('of two equal triggers are stored once', () => {
    const key = { input_fields: [field('key', 'one')] };
    const first = maskSecrets(workflow([trigger('t', key), trigger('u', key)]));
    expect(first.secrets).toEqual({ key: 'one' });
    expect(restoreSecrets(first.data, first)).toEqual(first);
  });

  test('belong to the innermost object with an id', () => {
    const inner = { input_fields: [field('key', 'two')] };
    const data = { first: { id: 't', input_fields: [field('key', 'one')] }, list: [{ id: 7, inner }], last: [] };
    expect(maskSecrets(data).secrets).toEqual({ key: 'one', '["","key"]': 'two' });
    expect(maskSecrets({ ...data, list: [{ id: 'u', inner: { id: 7, ...inner } }] }).secrets).toEqual({
      key: 'one',
      '["u","key"]': 'two',
    });
  });

  test('are masked in fields that no run asks for, and not stored', () => {
    const { id: _, ...nameless } = field('', 'sk-1');
    const { data, secrets } = maskSecrets(
      withFields(nameless, { ...nameless, id: 5 }, field('key', 'sk-2'), field('key', 'sk-3')),
    );
    expect(defaults(data)).toEqual(Array(4).fill(`"${MASK}"`));
    expect(secrets).toEqual({ key: 'sk-2' });
    expect(restoreSecrets(data, { secrets })).toEqual({ data, secrets });
  });

  test.each<[unknown, boolean]>([
    [true, true],
    [1, true],
    ['true', true],
    [false, false],
    [0, false],
    ['', false],
    ['false', false],
    [undefined, false],
  ])('are those of fields with a flag: %p', (is_secret, expected) => {
    const { data, secrets } = maskSecrets(withFields({ id: 'key', is_secret, default_value: 'sk-1' }));
    expect(secrets).toEqual(expected ? { key: 'sk-1' } : {});
    expect(defaults(data)).toEqual([expected ? `"${MASK}"` : '"sk-1"']);
  });

  test.each([[undefined], [null], ['']])('are not created from %p', nothing => {
    const data = withFields(field('key', nothing));
    expect(maskSecrets(data)).toEqual({ data, secrets: {} });
  });

  test('share unchanged objects', () => {
    const data = workflow([trigger('t', { input_fields: [field('key', 'sk-1')] }), trigger('u')]);
    const { data: masked } = maskSecrets(data);
    const [nodes, before] = [masked.nodes, data.nodes] as [unknown[], unknown[]];
    expect(nodes[0]).not.toBe(before[0]);
    expect(nodes[1]).toBe(before[1]);
    expect(masked.viewport).toBe(data.viewport);
    const open = withFields(field('name', 'Ada', false), null as never, 'no field' as never);
    expect(maskSecrets(open).data).toBe(open);
  });

  test('are safe from field ids such as __proto__', () => {
    const { secrets } = maskSecrets(withFields(field('__proto__', 'polluted'), field('constructor', 'x')));
    expect(Object.getPrototypeOf(secrets)).toBe(Object.prototype);
    expect(restoreSecrets(withFields(field('toString', MASK)), { secrets: {} }).secrets).toEqual({ toString: MASK });
  });
});

describe('the input of a run', () => {
  test('shows secret fields as masks', () => {
    const input = { key: 'sk-1', n: 1, empty: '', nothing: null };
    const secretFields = ['key', 'empty', 'nothing', 'absent'];
    expect(maskInput(input, secretFields)).toEqual({ key: MASK, n: 1, empty: '', nothing: null });
  });

  test.each<[string, JsonObject, JsonObject | undefined, JsonObject]>([
    ['the stored default in a run', { key: MASK }, undefined, { key: 'stored' }],
    ['what the original run was given in a re-run', { key: MASK }, { key: 'original' }, { key: 'original' }],
    ['the default when the original run had none', { key: MASK }, {}, { key: 'stored' }],
    ['itself for a field without a stored value', { other: MASK }, undefined, { other: MASK }],
    ['itself for a field that is not secret', { note: MASK }, { note: 'x' }, { note: MASK }],
    ['nothing: a new value replaces it', { key: 'new' }, { key: 'original' }, { key: 'new' }],
  ])('replaces the mask by %s', (_title, input, original, expected) => {
    const known = { defaults: { key: 'stored' }, ...(original ? { original } : {}) };
    expect(restoreInput(input, ['key', 'other', 'toString'], known)).toEqual(expected);
  });
});

describe('masking by value', () => {
  const secret = 'p"a\\ss\nwörd&1';

  test.each<[string, string]>([
    ['plain', `the key is ${secret}!`],
    ['in a JSON text', JSON.stringify({ key: secret })],
    ['in a JSON text inside one', JSON.stringify({ text: JSON.stringify({ key: secret }) })],
    ['in an address', `http://x/?key=${encodeURIComponent(secret)}`],
    ['in capitals', `the key is ${secret.toUpperCase()}!`],
    ['in an address, in capitals', `http://x/?key=${encodeURIComponent(secret.toUpperCase())}`],
  ])('finds it %s', (_title, text) => {
    const masked = maskValues(text, [secret]);
    expect(masked).toContain(MASK);
    expect(masked).not.toMatch(/ss|rd&1|rd%261/i);
  });

  test('covers members, their names and numbers, and changes nothing else', () => {
    expect(maskValues({ 'is secret-1': ['secret-1', 123456, 1, null, true] }, ['secret-1', '123456'])).toEqual({
      [`is ${MASK}`]: [MASK, MASK, 1, null, true],
    });
  });

  test('finds it without the spaces around it', () => {
    expect(maskValues('Bearer secret-1', [' secret-1\n'])).toBe(`Bearer ${MASK}`);
  });

  test('masks the longest first and leaves texts under six characters', () => {
    expect(maskValues('secret-long secret', ['secret', 'secret-long', 'long', ''])).toBe(`${MASK} ${MASK}`);
    expect(maskValues('short', ['short'])).toBe('short');
    expect(maskValues('a key of keys', [' key  '])).toBe('a key of keys');
    expect(maskValues('sesame', ['sesame'])).toBe(MASK);
  });

  test('finds it in lower case, and within a longer JSON text or form', () => {
    const token = 'To"ken &1';
    expect(maskValues('is to"ken &1', [token])).toBe(`is ${MASK}`);
    expect(maskValues(JSON.stringify(`is ${token} it`), [token])).toBe(`"is ${MASK} it"`);
    expect(maskValues(new URLSearchParams({ q: `is ${token} it` }).toString(), [token])).toBe(`q=is+${MASK}+it`);
  });

  test('finds the texts inside structured secrets, and ignores masks, flags and empty values', () => {
    const login = { user: 'someone', password: 'hunter22', is_set: true, pin: 1234567, hint: undefined };
    expect(secretValues([login, MASK, null, undefined, false, ['a', MASK]])).toEqual([
      JSON.stringify(login),
      'someone',
      'hunter22',
      '1234567',
      JSON.stringify(['a', MASK]),
      'a',
    ]);
  });
});
