import { describe, expect, test } from '@jest/globals';
import { MASK, maskValues, secretFinder } from '../../../src/engine/secrets.js';
import { withoutCredentials } from '../../../src/engine/workflow/graph/secrets/credentials.js';

const SECRET = 'correct-horse?battery>staple';

describe('a secret in base64', () => {
  test.each(['', 'u', 'us', 'user:', '{"token":"'])('is masked behind %j', before => {
    for (const after of ['', 'x', '\n"}']) {
      const text = Buffer.from(before + SECRET + after).toString('base64');
      const masked = maskValues({ header: `Basic ${text}` }, [SECRET]).header;
      expect(masked).toContain(MASK);
      // Base64 encodes groups of three bytes, so the groups that the secret shares with the text around it may remain.
      const left = masked.replace('Basic ', '').split(MASK).join('').replaceAll('=', '');
      expect(left.length).toBeLessThanOrEqual(Math.ceil(((before.length + after.length + 2) * 4) / 3) + 2);
      expect(secretFinder([SECRET])(text)).toBe(true);
    }
  });

  test('is masked in the URL-safe alphabet', () => {
    const secret = '???>>>???>>>';
    expect(maskValues(Buffer.from(secret).toString('base64url'), [secret])).toContain(MASK);
  });

  test('is not searched for if it is short', () => {
    expect(maskValues('YWJjZGVm', ['abcdef'])).toBe('YWJjZGVm');
  });
});

test('a long text inside a placeholder counts as a credential of a copied graph, a short one does not', () => {
  const headers = {
    Authorization: '{{ "Bearer very-long-credential" }}',
    'X-Api-Key': '{{ "Bearer " + input.token }}',
  };
  const data = { nodes: [{ id: 'h', type: 'http-node', data: { id: 'h', headers } }] };
  const { data: cleared } = withoutCredentials(data, '<fill in>', '');
  const [node] = cleared.nodes as (typeof data)['nodes'];
  expect(node?.data.headers).toEqual({ Authorization: '<fill in>', 'X-Api-Key': '{{ "Bearer " + input.token }}' });
});
