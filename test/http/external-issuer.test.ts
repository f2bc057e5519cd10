import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, SignJWT } from 'jose';
import { startTestService, type TestService } from '../support/service.js';
import { bearer } from '../support/sessions.js';
import { type LoopbackServer, serveHttp } from '../support/upstreams/loopback-server.js';

const ISSUER = 'https://login.example.com/';
const AUDIENCE = 'scenarium-test';
const now = Math.floor(Date.now() / 1000);

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

let service: TestService;
let jwks: LoopbackServer;
let jwksRequests = 0;
let isDown = false;
let [rsa, ec, other] = [] as unknown as [Keys, Keys, Keys];

beforeAll(async () => {
  [rsa, ec, other] = (await Promise.all(
    ['RS256', 'ES256', 'RS256'].map(alg => generateKeyPair(alg, { extractable: true })),
  )) as [Keys, Keys, Keys];
  const keys = [
    { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', use: 'sig' },
    { ...(await exportJWK(ec.publicKey)), kid: 'ec', use: 'sig' },
  ];
  jwks = await serveHttp((_request, response) => {
    jwksRequests++;
    response.writeHead(isDown ? 500 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys }));
  });
});
afterAll(() => jwks?.close());

afterEach(() => service?.stop());

beforeEach(async () => {
  const jwksUrl = `${jwks.url}/jwks`;
  service = await startTestService({
    role: 'api',
    outboundAllow: [],
    issuer: { jwksUrl, issuer: ISSUER, audience: AUDIENCE },
  });
  await service.createUser('ann');
  [jwksRequests, isDown] = [0, false];
});

const claims = {
  iss: ISSUER,
  aud: AUDIENCE,
  exp: now + 600,
  sub: 'somebody',
  email: 'Ann@Example.com',
  email_verified: true,
};
const sign = (changes: Record<string, unknown> = {}, { key = rsa, alg = 'RS256', kid = 'rsa' } = {}) =>
  new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg, kid }).sign(key.privateKey);
const me = (token: string) =>
  service.rest('POST', '/graphql', { ...bearer(token), body: { query: '{ me { email } }' } });

describe('an external issuer', () => {
  it('identifies users by their verified email, and its keys are fetched once', async () => {
    const es256 = await sign({}, { key: ec, alg: 'ES256', kid: 'ec' });
    for (const token of [await sign(), es256, await sign({ aud: ['other', AUDIENCE] })])
      expect((await me(token)).body.data).toEqual({ me: { email: 'ann@example.com' } });
    expect(jwksRequests).toBe(1);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example.com/' }],
    ['another audience', { aud: 'other' }],
    ['no audience', { aud: undefined }],
    ['an expired token', { exp: now - 10 }],
    ['a token without an end', { exp: undefined }],
    ['a token that is not valid yet', { nbf: now + 600 }],
    ['an unverified email', { email_verified: false }],
    ['an email whose verification is a text', { email_verified: 'true' }],
    ['no word about the email', { email_verified: undefined }],
    ['no email', { email: undefined }],
    ['an email that is not a text', { email: ['ann@example.com'] }],
    ['an unknown user', { email: 'outsider@example.com' }],
  ])('does not identify a caller with %s', async (_what, changes) => {
    expect((await me(await sign(changes))).status).toBe(401);
  });

  it('does not identify a caller by a token with another key or algorithm', async () => {
    expect((await me(await sign({}, { key: other }))).status).toBe(401);
    expect((await me(await sign({}, { key: rsa, kid: 'unknown' }))).status).toBe(401);
    const privateKey = await importPKCS8(await exportPKCS8(rsa.privateKey), 'PS256');
    expect((await me(await sign({}, { key: { ...rsa, privateKey }, alg: 'PS256' }))).status).toBe(401);
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(rsa.publicKey)));
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'rsa' }).sign(secret);
    expect((await me(confused)).status).toBe(401);
  });

  it('whose keys cannot be fetched is answered with 503', async () => {
    isDown = true;
    const answer = await service.rest('GET', '/api/v1/projects/', bearer(await sign()));
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(answer.headers.get('retry-after')).not.toBeNull();
  });
});
