import { describe, expect, it } from '@jest/globals';
import { parseAddress, splitAddresses } from '../../../src/engine/email/address.js';
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

describe('an email address', () => {
  it.each([
    ['ann@example.com', '', 'ann@example.com'],
    [' <ann@example.com>\n', '', 'ann@example.com'],
    ['Ann Doe <ann@example.com>', 'Ann Doe', 'ann@example.com'],
    ['"Doe, Ann" <ann@example.com>', 'Doe, Ann', 'ann@example.com'],
    ['"Ann \\"A\\" Doe" (EU) <ann.doe+x@mail.example.com>', 'Ann "A" Doe (EU)', 'ann.doe+x@mail.example.com'],
    ['Käthe <käthe@münchen.example>', 'Käthe', 'käthe@münchen.example'],
    ['root@localhost', '', 'root@localhost'],
  ])('is read from %j', (text, name, address) => {
    expect(parseAddress(text)).toEqual({ name, address });
  });

  it.each([
    '',
    'somebody',
    'a@b@c',
    'a b@example.com',
    '@example.com',
    'a@',
    'a@x..com',
    'a@x.com\r\nBcc: evil@x.com',
    'Ann\r\nX: 1 <a@x.com>',
    'a@x.com, b@x.com',
    'a@x.com <b@x.com> c@x.com',
    'A, B <a@x.com>',
    '<a@x.com> <b@x.com>',
    '"Ann <a@x.com>',
    'Ann <a@x.com',
    'friends: a@x.com;',
    `${'a'.repeat(250)}@x.com`,
  ])('is refused: %j', text => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it('is separated from others by a comma outside of quotes', () => {
    expect(splitAddresses('"Doe, Jane" <jane@x.com>, b@x.com,\n, "a\\",b" <c@x.com>')).toEqual([
      '"Doe, Jane" <jane@x.com>',
      'b@x.com',
      '"a\\",b" <c@x.com>',
    ]);
    expect(splitAddresses('"a@x.com, b@x.com')).toEqual(['"', 'a@x.com', 'b@x.com']);
  });
});
