import { describe, expect, it } from '@jest/globals';
import { decodeText } from '../../../src/engine/text/decode.js';

const bytes = (...parts: (number[] | string)[]) =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

describe('bytes as text', () => {
  it.each([
    ['UTF-8', bytes('Größe'), 'Größe'],
    ['UTF-8 with a mark', bytes([0xef, 0xbb, 0xbf], 'Größe'), 'Größe'],
    ['UTF-16 with a mark', bytes([0xfe, 0xff, 0, 0x61, 0x20, 0xac]), 'a€'],
    ['UTF-16 without one', Buffer.from('plain words', 'utf16le'), 'plain words'],
    ['Windows-1252', bytes('Gr', [0xf6, 0xdf], 'e ', [0x80]), 'Größe €'],
    ['a text cut within a character', bytes('ab', [0xe2, 0x82]), 'ab'],
    ['nothing', bytes(''), ''],
  ])('are read as %s', (_, given, text) => {
    expect(decodeText(given)).toBe(text);
  });

  it.each([
    ['zeros', bytes([0, 1, 2, 3])],
    ['control characters', bytes([0x80, 0x01, 0xff, 0x02])],
  ])('are invalid with %s', (_, given) => {
    expect(decodeText(given)).toBeNull();
  });
});
