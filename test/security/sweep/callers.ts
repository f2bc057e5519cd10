import { randomBytes } from 'node:crypto';
import { AccessTokens } from '../../../src/modules/accounts/sessions/access-token.js';
import { testConfig } from '../../support/config.js';
import type { TestService } from '../../support/service.js';
import { createLogin, logIn, PASSWORD } from '../../support/sessions.js';

/** Roles in the projects of the sweep; the administrator is one of the service and not a member of any project. */
export const PEOPLE = ['outsider', 'viewer', 'editor', 'admin', 'owner', 'administrator'] as const;
export type Person = (typeof PEOPLE)[number];

/** Credentials that stand for no user: none, invalid ones, and the service token. Those that were valid once belonged to the owner. */
export const OTHER_CREDENTIALS = [
  'anonymous',
  'an expired session',
  'a session that was ended',
  'a session signed by another secret',
  'an unsigned session',
  'a refresh token',
  'the service token',
  'a key in place of a session',
  'a deleted key',
  'an expired key',
  'the key of a user who may have none',
] as const;
export type OtherCredentials = (typeof OTHER_CREDENTIALS)[number];

export type Means = 'key' | 'session';
export type Caller = { person: Person; means: Means } | { credentials: OtherCredentials };

export const CALLERS: Caller[] = [
  ...PEOPLE.flatMap(person => (['key', 'session'] as const).map(means => ({ person, means }))),
  ...OTHER_CREDENTIALS.map(credentials => ({ credentials })),
];

export function nameOf(caller: Caller): string {
  return 'credentials' in caller ? caller.credentials : `${caller.person} by ${caller.means}`;
}

/** User ids by person, and the headers of every caller by name. */
export interface SweepCallers {
  ids: Record<Person | 'bystander', number>;
  headers: Record<string, Record<string, string>>;
}

/**
 * Creates all callers of the sweep, and two users whom requests name: a bystander, who is a member, and a newcomer, who is
 * not.
 */
export async function createCallers(service: TestService): Promise<SweepCallers> {
  const [logins, bystander] = await Promise.all([
    Promise.all(PEOPLE.map(person => createLogin(service, `the-${person}`, { isAdmin: person === 'administrator' }))),
    service.createUser('bystander'),
    service.createUser('newcomer'),
  ]);
  const headers: SweepCallers['headers'] = {};
  const ids = {} as SweepCallers['ids'];
  for (const [index, person] of PEOPLE.entries()) {
    const login = logins[index]!;
    ids[person] = login.id;
    headers[`${person} by session`] = bearer(login.access);
    headers[`${person} by key`] = { 'X-Api-Key': (await keyOf(service, login.id)).key };
  }
  const [row] = await service.sql('select id from app_user where email = $1', [bystander.email]);
  ids.bystander = row?.id;
  Object.assign(headers, await createOtherCredentials(service, ids.owner, logins[PEOPLE.indexOf('owner')]!));
  return { ids, headers };
}

async function createOtherCredentials(
  service: TestService,
  owner: number,
  { email, refresh }: { email: string; refresh: string },
): Promise<Record<OtherCredentials, Record<string, string>>> {
  const { jwtSecret, serviceToken } = testConfig(service.database);
  const [session] = await service.sql('select id from user_session where user_id = $1', [owner]);
  const claims = { userId: owner, sessionId: session?.id };
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const [, payload] = (await new AccessTokens(jwtSecret!).issue(claims)).split('.');
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');

  const ended = await logIn(service, email, PASSWORD);
  await service.graphql('mutation ($refresh: String!) { sessionEnd(refresh: $refresh) { isEnded } }', ended, null);
  const deleted = await keyOf(service, owner);
  await service.rest('DELETE', `/api/v1/api-keys/${deleted.id}/`);
  const expired = await keyOf(service, owner);
  await service.sql(`update api_key set expires_at = now() - interval '1 second' where id = $1`, [expired.id]);
  const withoutKeyRight = await service.createUser('outcast');
  await service.sql('update app_user set is_api_allowed = false where email = $1', [withoutKeyRight.email]);

  return {
    anonymous: {},
    'an expired session': bearer(await new AccessTokens(jwtSecret!).issue(claims, anHourAgo)),
    'a session that was ended': bearer(ended.access),
    'a session signed by another secret': bearer(await new AccessTokens(randomBytes(32).toString('hex')).issue(claims)),
    'an unsigned session': bearer(`${none}.${payload}.`),
    'a refresh token': bearer(refresh),
    'the service token': bearer(serviceToken!),
    'a key in place of a session': bearer((await keyOf(service, owner)).key),
    'a deleted key': { 'X-Api-Key': deleted.key },
    'an expired key': { 'X-Api-Key': expired.key },
    'the key of a user who may have none': { 'X-Api-Key': withoutKeyRight.key },
  };
}

async function keyOf(service: TestService, user: number): Promise<{ id: number; key: string }> {
  const { status, body } = await service.rest('POST', '/api/v1/api-keys/', { body: { name: 'sweep', user } });
  if (status !== 201) throw new Error(`creating a key answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
