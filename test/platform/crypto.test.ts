import { expect, it } from '@jest/globals';
import { equalInConstantTime, newApiKey, sha256, Vault } from '../../src/platform/crypto/crypto.js';

const vault = new Vault('a secret of more than 32 characters, surely');

it('opens what it sealed, for the purpose it was sealed for', () => {
  const sealed = vault.seal('geheim 🗝', 'table:column:1');
  expect(sealed).not.toContain('geheim');
  expect(vault.open(sealed, 'table:column:1')).toBe('geheim 🗝');
});

it('never seals the same text to the same bytes', () => {
  expect(vault.seal('x', 'p')).not.toBe(vault.seal('x', 'p'));
});

it.each([
  ['another place', (sealed: string) => vault.open(sealed, 'table:column:2')],
  [
    'another key',
    (sealed: string) => new Vault('another secret of more than 32 characters').open(sealed, 'table:column:1'),
  ],
  ['changed bytes at its end', (sealed: string) => vault.open(`${sealed.slice(0, -4)}AAAA`, 'table:column:1')],
  ['an unknown key', (sealed: string) => vault.open(sealed.replace('k1.', 'k9.'), 'table:column:1')],
])('refuses a sealed text with %s', (_what, open) => {
  expect(() => open(vault.seal('geheim', 'table:column:1'))).toThrow(/^cannot decrypt table:column:[12]: /);
});

it('computes digests that differ by text and by key', () => {
  expect(vault.digest('geheim')).toEqual(vault.digest(Buffer.from('geheim')));
  expect(vault.digest('geheim')).not.toEqual(vault.digest('Geheim'));
  expect(vault.digest('geheim')).not.toEqual(sha256('geheim'));
  expect(vault.digest('geheim')).not.toEqual(new Vault('another secret of more than 32 characters').digest('geheim'));
});

it('creates keys of 256 random bits that begin with sk-', () => {
  const keys = new Set(Array.from({ length: 100 }, newApiKey));
  expect(keys.size).toBe(100);
  for (const key of keys) expect(key).toMatch(/^sk-[\w-]{43}$/);
});

it('compares hashes by their bytes', () => {
  expect(equalInConstantTime(sha256('a'), sha256('a'))).toBe(true);
  expect(equalInConstantTime(sha256('a'), sha256('b'))).toBe(false);
  expect(equalInConstantTime(sha256('a'), Buffer.from('a'))).toBe(false);
});
