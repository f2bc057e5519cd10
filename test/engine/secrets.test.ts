import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/engine/json-value.js';
import {
  MASK,
  maskInput,
  maskSecrets,
  maskValues,
  restoreInput,
  restoreSecrets,
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
  test('are taken out of every trigger, nested ones included, and nothing else changes', () => {
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

  const stored = { secrets: { key: 'sk-1' } };

  test.each<[string, JsonObject, JsonObject, string]>([
    ['kept when the mask is sent back', field('key', MASK), { key: 'sk-1' }, MASK],
    ['replaced by a new value', field('key', 'sk-2'), { key: 'sk-2' }, MASK],
    ['not inherited by a renamed field, which stores the mask', field('token', MASK), { token: MASK }, MASK],
    ['lost when the field is made public while the mask is sent', field('key', MASK, false), {}, ''],
    ['not confused with a public field that holds the mask as a text', field('note', MASK, false), {}, MASK],
    ['emptied by an empty text', field('key', ''), {}, ''],
  ])('are %s', (_title, sent, secrets, shown) => {
    const result = restoreSecrets(withFields(sent), stored);
    expect(result.secrets).toEqual(secrets);
    expect(defaults(result.data)).toEqual([JSON.stringify(shown)]);
    expect(JSON.stringify(result.data)).not.toContain('sk-');
  });

  test('of two triggers with the same field id stay apart', () => {
    const data = workflow([
      trigger('t', { input_fields: [field('key', 'one')] }),
      trigger('u', { input_fields: [field('key', 'two')] }),
    ]);
    const first = maskSecrets(data);
    const second = restoreSecrets(first.data, first);
    expect(second.secrets).toEqual(first.secrets);
    expect(Object.values(second.secrets).sort()).toEqual(['one', 'two']);
  });

  test('are safe from field ids that name machinery', () => {
    const { secrets } = maskSecrets(withFields(field('__proto__', 'polluted'), field('constructor', 'x')));
    expect(Object.getPrototypeOf(secrets)).toBe(Object.prototype);
    expect(restoreSecrets(withFields(field('toString', MASK)), { secrets: {} }).secrets).toEqual({ toString: MASK });
  });
});

describe('the input of a run', () => {
  test('shows secret fields as masks', () => {
    expect(maskInput({ key: 'sk-1', n: 1, empty: '' }, ['key', 'empty', 'absent'])).toEqual({
      key: MASK,
      n: 1,
      empty: '',
    });
  });

  test.each<[string, JsonObject, JsonObject | undefined, JsonObject]>([
    ['the stored default in a run', { key: MASK }, undefined, { key: 'stored' }],
    ['what the original run was given in a re-run', { key: MASK }, { key: 'original' }, { key: 'original' }],
    ['the default when the original run had none', { key: MASK }, {}, { key: 'stored' }],
    ['itself for a field without a stored value', { other: MASK }, undefined, { other: MASK }],
    ['itself for a field that is not secret', { note: MASK }, { note: 'x' }, { note: MASK }],
    ['nothing: a new value replaces it', { key: 'new' }, { key: 'original' }, { key: 'new' }],
  ])('has in place of the mask %s', (_title, input, original, expected) => {
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

  test('covers members, their names and numbers, and leaves the rest alone', () => {
    expect(maskValues({ 'is secret-1': ['secret-1', 123456, 1, null, true] }, ['secret-1', '123456'])).toEqual({
      [`is ${MASK}`]: [MASK, MASK, 1, null, true],
    });
  });

  test('finds it without the spaces around it', () => {
    expect(maskValues('Bearer secret-1', [' secret-1\n'])).toBe(`Bearer ${MASK}`);
  });

  test('takes the longest first and lets texts under six characters stand', () => {
    expect(maskValues('secret-long secret', ['secret', 'secret-long', 'long', ''])).toBe(`${MASK} ${MASK}`);
    expect(maskValues('short', ['short'])).toBe('short');
  });

  test('knows the texts inside structured secrets', () => {
    expect(secretValues([{ user: 'someone', password: 'hunter22' }, MASK, null])).toEqual(
      expect.arrayContaining(['someone', 'hunter22']),
    );
  });
});
