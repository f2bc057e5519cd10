import { describe, expect, it } from '@jest/globals';
import { type ConfigError, readConfig } from '../../src/platform/config/config.js';

const faultsOf = (env: Record<string, string>) => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
};

const OIDC = {
  ...{ OIDC_ISSUER: 'https://sso.example', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' },
  PUBLIC_URL: 'https://app.example',
};
const PUBLIC_URL = 'the http(s) URL at which users reach the service, without a user, query or fragment';
const ORIGINS = '* or a comma-separated list of origins such as https://app.example';

describe('readConfig', () => {
  it('works with nothing set', () => {
    expect(readConfig({})).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      dataDir: '.data',
      outboundAllow: [],
      rateLimitPerMinute: 60,
      corsOrigins: [],
      srPerUsd: '100',
      maxBodyBytes: 5 * 1024 * 1024,
      defaultLimits: { userUsd: null, projectUsd: null },
      projectStorageBytes: 10_240 * 1024 * 1024,
      pageMaxBytes: 4 * 1024 * 1024,
      runResultTtlDays: 30,
      archiveTtlDays: 90,
      workerConcurrency: 50,
      projectQueueMax: 100_000,
      role: 'all',
    });
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 4000, databaseUrl: undefined });
  });

  it('reads the sign-in at an issuer', () => {
    expect(readConfig({ ...OIDC, OIDC_DOMAINS: 'Example.com, b.example' }).oidc).toEqual({
      ...{ issuer: 'https://sso.example', clientId: 'x', clientSecret: 'y' },
      ...{ name: 'sso.example', domains: ['example.com', 'b.example'], createsUsers: false },
    });
  });

  it('splits the outbound list and removes the slash at the end of the upstream', () => {
    const config = readConfig({
      OUTBOUND_ALLOW: 'a.example, 10.0.0.0/8 ,',
      OPENAI_BASE_URL: 'http://model.example/v1/',
    });
    expect(config.outboundAllow).toEqual(['a.example', '10.0.0.0/8']);
    expect(config.openai.baseUrl).toBe('http://model.example/v1');
  });

  it('accepts a list of origins, or every one, and a rate limit of none', () => {
    const list = readConfig({ CORS_ORIGINS: 'https://app.example, http://localhost:3000', RATE_LIMIT_PER_MINUTE: '0' });
    expect(list.corsOrigins).toEqual(['https://app.example', 'http://localhost:3000']);
    expect(list.rateLimitPerMinute).toBe(0);
    expect(readConfig({ CORS_ORIGINS: '*' }).corsOrigins).toEqual(['*']);
  });

  it.each(['record.before', 'key-value.before-commit:2', 'suspend.after:1:stop'])('accepts the failpoint %s', text => {
    expect(readConfig({ CRASH_AT: text }).crashAt).toBe(text);
  });

  it.each([
    [{ PORT: '65536' }, 'PORT: got "65536", expected a port, 0-65535 (0 selects a free port)'],
    [{ PORT: '4e3' }, 'PORT: got "4e3", expected a port, 0-65535 (0 selects a free port)'],
    [{ ROLE: 'both' }, 'ROLE: got "both", expected one of all, api, worker'],
    [{ SR_PER_USD: '0' }, 'SR_PER_USD: got "0", expected a positive decimal'],
    [{ SR_PER_USD: '-1' }, 'SR_PER_USD: got "-1", expected a positive decimal'],
    [{ RATE_LIMIT_PER_MINUTE: '-1' }, 'RATE_LIMIT_PER_MINUTE: got "-1", expected requests, 0-1000000 (0: unlimited)'],
    [{ CORS_ORIGINS: 'app.example' }, `CORS_ORIGINS: got "app.example", expected ${ORIGINS}`],
    [{ CORS_ORIGINS: 'https://app.example/' }, `CORS_ORIGINS: got "https://app.example/", expected ${ORIGINS}`],
    [{ CORS_ORIGINS: 'https://app.example, *' }, `CORS_ORIGINS: got "https://app.example, *", expected ${ORIGINS}`],
    [
      { TRUSTED_PROXIES: '10.0.0.0/8, proxy' },
      'TRUSTED_PROXIES: got "10.0.0.0/8, proxy", expected a comma-separated list of IP addresses and CIDR blocks',
    ],
    ...['https://app.example/x?q=1', 'https://app.example#x', 'ftp://app.example', 'https:app.example'].map(
      (value): [Record<string, string>, string] => [
        { PUBLIC_URL: value },
        `PUBLIC_URL: got "${value}", expected ${PUBLIC_URL}`,
      ],
    ),
    [{ PUBLIC_URL: 'https://ann:secret@app.example' }, `PUBLIC_URL: got 30 characters, expected ${PUBLIC_URL}`],
    ...['record.before:x', 'record.before:0', 'record.before:1:kill', 'record.before:stop', ':1'].map(
      (value): [Record<string, string>, string] => [
        { CRASH_AT: value },
        `CRASH_AT: got "${value}", expected the name of a failpoint, name:n or name:n:stop; refused in production`,
      ],
    ),
    [{ DATABASE_URL: 'mysql://x:secret@y/z' }, 'DATABASE_URL: got 20 characters, expected a postgresql:// URL'],
    [
      { ADMIN_API_KEY: 'short' },
      'ADMIN_API_KEY: got 5 characters, expected 16-256 printable characters without spaces',
    ],
    [
      { SMTP_URL: 'smtp://mail.example', PUBLIC_URL: 'https://app.example' },
      'MAIL_FROM: unset, expected an email address, or a name with an address: Scenarium <scenarium@example.com> when SMTP_URL is set',
    ],
    [
      {
        SMTP_URL: 'smtps://ann:secret@mail.example?tls=none',
        MAIL_FROM: 'a@b.example',
        PUBLIC_URL: 'https://app.example',
      },
      'SMTP_URL: got 40 characters, expected smtps://user:password@host:port or smtp://…, which requires STARTTLS unless it ends in ?tls=none',
    ],
    [
      { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Ann <ann>', PUBLIC_URL: 'https://app.example' },
      'MAIL_FROM: got "Ann <ann>", expected an email address, or a name with an address: Scenarium <scenarium@example.com>',
    ],
    [
      { OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y', PUBLIC_URL: 'https://app.example' },
      'OIDC_ISSUER: unset, expected the https URL of an issuer (http only on this machine) when OIDC_CLIENT_ID is set',
    ],
    [
      { ...OIDC, OIDC_ISSUER: 'http://sso.example' },
      'OIDC_ISSUER: got "http://sso.example", expected the https URL of an issuer (http only on this machine)',
    ],
    [
      { ...OIDC, OIDC_CREATE_USERS: 'on' },
      'OIDC_DOMAINS: unset, expected * or a comma-separated list of domains such as example.com when OIDC_CREATE_USERS is on',
    ],
    [
      { ...OIDC, OIDC_DOMAINS: '@example.com' },
      'OIDC_DOMAINS: got "@example.com", expected * or a comma-separated list of domains such as example.com',
    ],
    [
      { STORAGE_URL: '/srv' },
      'STORAGE_URL: got "/srv", expected file:<folder> or s3://bucket/prefix?endpoint=…&region=…',
    ],
    [{ MAX_UPLOAD_MB: '0' }, 'MAX_UPLOAD_MB: got "0", expected megabytes, 1-4096'],
    [
      { STORAGE_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'AKID' },
      'AWS_SECRET_ACCESS_KEY: unset, expected a key when STORAGE_URL names S3 storage',
    ],
  ])('reports for %j which values are valid', (env, fault) => {
    expect(faultsOf(env)).toEqual([fault]);
  });

  it('reports all faults at once and never shows a secret', () => {
    const faults = faultsOf({ PORT: 'x', ENCRYPTION_KEY: 'hunter2' });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('requires all or none of the variables of an external issuer', () => {
    const issuer = { JWT_JWKS_URL: 'https://a.example/jwks', JWT_ISSUER: 'https://a.example/', JWT_AUDIENCE: 'us' };
    expect(readConfig(issuer).issuer).toEqual({
      jwksUrl: 'https://a.example/jwks',
      issuer: 'https://a.example/',
      audience: 'us',
    });
    expect(readConfig({}).issuer).toBeUndefined();
    expect(faultsOf({ JWT_ISSUER: 'https://a.example/' })).toEqual([
      'JWT_JWKS_URL: unset, expected an http(s) URL when JWT_ISSUER is set',
      'JWT_AUDIENCE: unset, expected the aud claim of tokens for this service when JWT_ISSUER is set',
    ]);
    expect(faultsOf({ ...issuer, JWT_JWKS_URL: 'ftp://a' })).toEqual([
      'JWT_JWKS_URL: got "ftp://a", expected an http(s) URL',
    ]);
  });

  it('requires secrets in production on an external database, and refuses failpoints there', () => {
    const faults = faultsOf({ NODE_ENV: 'production', DATABASE_URL: 'postgresql://h/d', CRASH_AT: 'record.before' });
    expect(faults).toEqual([
      'CRASH_AT: set, but not allowed when NODE_ENV is production',
      'JWT_SECRET: unset, expected at least 32 characters when DATABASE_URL is set in production',
      'SERVICE_TOKEN: unset, expected at least 32 characters when DATABASE_URL is set in production',
      'ENCRYPTION_KEY: unset, expected at least 32 characters when DATABASE_URL is set in production',
    ]);
  });
});
