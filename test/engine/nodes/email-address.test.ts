import { describe, expect, it } from '@jest/globals';
import { parseMailUrl } from '../../../src/engine/email/url.js';

describe('the address of a mail server', () => {
  it.each([
    ['smtps://u:p@H', { host: 'h', port: 465, user: 'u', password: 'p', tls: 'implicit' }],
    ['smtp://u%40a:p@[::1]:25', { host: '::1', port: 25, user: 'u@a', password: 'p', tls: 'starttls' }],
    ['smtp://h?tls=none', { host: 'h', port: 587, user: '', password: '', tls: 'none' }],
  ])('is read from %s', (text, parts) => {
    expect(parseMailUrl(text)).toEqual(parts);
  });

  it.each([
    '',
    'http://h',
    'smtps://h?tls=none',
    'smtp://h/path',
    'smtp://h#x',
    'smtp://u:%zz@h',
    'smtp://u:%0a@h',
    'smtp://h:0',
  ])('is refused: %s', text => {
    expect(parseMailUrl(text)).toBeUndefined();
  });
});
