import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuthKind } from '../../rest-compat/runtime/route.js';
import { Identity } from '../../src/http/middleware/identity.js';
import { AccountService } from '../../src/modules/accounts/account.service.js';
import { KeyAuthenticator } from '../../src/modules/accounts/api-keys/key-authenticator.js';
import { AccessTokens } from '../../src/modules/accounts/sessions/access-token.js';
import { SessionService } from '../../src/modules/accounts/sessions/session.service.js';
import { AddressLimit } from '../../src/modules/accounts/users/address-limit.js';
import { HashingQueue } from '../../src/modules/accounts/users/hashing-queue.js';
import { ENTITIES } from '../../src/modules/registry.js';
import { Database } from '../../src/platform/database/database.js';
import { createLog } from '../../src/platform/logging/log.js';
import { SlotGauge } from '../../src/platform/metrics/slot-gauge.js';
import { ADMIN_KEY, databaseUrl } from '../support/config.js';
import { createDatabase } from '../support/service.js';

const SERVICE_TOKEN = 'the token of the execution service, 32 or more';

let database: Database;
let identity: Identity;
let access: string;

beforeAll(async () => {
  const url = databaseUrl(await createDatabase());
  database = await Database.open({ url, entities: ENTITIES, migrations: [], log: createLog('silent') });
  const accounts = new AccountService(database);
  const tokens = new AccessTokens('a secret of thirty-two characters or more');
  const sessions = new SessionService(database, tokens, new HashingQueue(new SlotGauge('password')));
  await accounts.createUser({ email: 'ann@example.com', password: 'a good password' });
  access = (await sessions.create('ann@example.com', 'a good password')).access;
  identity = new Identity({
    keyAuthenticator: new KeyAuthenticator(database, 0),
    accounts,
    sessions,
    anonymous: new AddressLimit(0),
    onLimited: () => {},
    issuer: null,
    serviceToken: SERVICE_TOKEN,
  });
});
afterAll(() => database?.close());

/** The caller as a route with this authentication identifies it, or the code of the refusal. */
async function identify(auth: AuthKind, headers: Record<string, unknown>): Promise<string> {
  try {
    const { caller } = await identity.restContextFor({ headers, address: '192.0.2.1', cost: 1, response: null }, auth);
    return caller === null ? 'nobody' : `${caller.via} from ${caller.address}`;
  } catch (error) {
    return (error as { extensions: { code: string } }).extensions.code;
  }
}

const key = () => ({ 'x-api-key': ADMIN_KEY });
const jwt = () => ({ authorization: `Bearer ${access}` });
const token = () => ({ authorization: `bearer ${SERVICE_TOKEN}` });
const keyAsBearer = () => ({ authorization: `Bearer ${ADMIN_KEY}` });
const wrongKey = () => ({ 'x-api-key': 'sk-wrong' });
const wrongBearer = () => ({ authorization: 'Bearer wrong' });

describe('credentials', () => {
  const cases: [what: string, headers: () => Record<string, unknown>, Record<AuthKind, string>][] = [
    ['none', () => ({}), expected('UNAUTHENTICATED', 'nobody', 'UNAUTHENTICATED', 'UNAUTHENTICATED')],
    ['a key', key, expected('key', 'key', 'UNAUTHENTICATED', 'FORBIDDEN')],
    ['a session', jwt, expected('jwt', 'jwt', 'UNAUTHENTICATED', 'FORBIDDEN')],
    ['both', () => ({ ...key(), ...jwt() }), expected('key', 'key', 'UNAUTHENTICATED', 'FORBIDDEN')],
    ['the service token', token, expected('UNAUTHENTICATED', 'nobody', 'UNAUTHENTICATED', 'service')],
    [
      'the service token and a key',
      () => ({ ...key(), ...token() }),
      expected('key', 'key', 'UNAUTHENTICATED', 'service'),
    ],
    ['a key as bearer', keyAsBearer, expected('UNAUTHENTICATED', 'nobody', 'key', 'FORBIDDEN')],
    ['a wrong key', wrongKey, expected('UNAUTHENTICATED', 'UNAUTHENTICATED', 'UNAUTHENTICATED', 'UNAUTHENTICATED')],
    [
      'a wrong key and a session',
      () => ({ ...wrongKey(), ...jwt() }),
      expected('UNAUTHENTICATED', 'UNAUTHENTICATED', 'UNAUTHENTICATED', 'UNAUTHENTICATED'),
    ],
    ['a wrong bearer', wrongBearer, expected('UNAUTHENTICATED', 'nobody', 'UNAUTHENTICATED', 'UNAUTHENTICATED')],
    [
      'an empty key and a session',
      () => ({ 'x-api-key': '', ...jwt() }),
      expected('jwt', 'jwt', 'UNAUTHENTICATED', 'FORBIDDEN'),
    ],
    [
      'another scheme',
      () => ({ authorization: 'Basic YTpi' }),
      expected('UNAUTHENTICATED', 'nobody', 'UNAUTHENTICATED', 'UNAUTHENTICATED'),
    ],
    [
      'a key that is not a text',
      () => ({ 'x-api-key': ['a', 'b'] }),
      expected('UNAUTHENTICATED', 'UNAUTHENTICATED', 'UNAUTHENTICATED', 'UNAUTHENTICATED'),
    ],
  ];

  it.each(cases)('%s', async (_what, headers, answers) => {
    for (const auth of Object.keys(answers) as AuthKind[])
      expect([auth, await identify(auth, headers())]).toEqual([auth, answers[auth]]);
  });
});

function expected(
  apiKey: string,
  none: string,
  bearer: string,
  service: string,
  // A key in either header; X-Api-Key takes precedence.
  anyKey = apiKey === 'key' ? 'key' : bearer,
): Record<AuthKind, string> {
  const from = (who: string) => (/^(key|jwt|service)$/.test(who) ? `${who} from 192.0.2.1` : who);
  const codeOfKey = apiKey === 'jwt' ? 'UNAUTHENTICATED' : apiKey;
  return {
    API_KEY: from(apiKey),
    API_KEY_ONLY: from(codeOfKey),
    NONE: from(none),
    BEARER: from(bearer),
    ANY_KEY: from(anyKey),
    SERVICE: from(service),
  };
}
