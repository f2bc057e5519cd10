import { expect } from '@jest/globals';
import { ADMIN_EMAIL, ADMIN_KEY } from '../../support/config.js';
import { llm } from '../../support/graphs.js';
import {
  ask,
  canaries,
  canary,
  echoUpstream,
  overSocket,
  project,
  query,
  run,
  save,
  service,
  subscribeMessage,
  workflowOf,
} from './canary-service.js';

async function sendUserCredentials(): Promise<void> {
  const email = 'singer@example.com';
  const create = 'mutation ($input: UserCreateInput!) { userCreate(input: $input) { user { id } } }';
  const input = { email, password: canary('a first password'), isApiAllowed: true };
  const { user } = (await query(create, { input })).userCreate;
  const change =
    'mutation ($id: Int!, $input: UserUpdateInput!) { userUpdate(id: $id, input: $input) { user { id name } } }';
  await query(change, { id: user.id, input: { password: canary('a second password') } });
  await ask('POST', '/api/v1/token/', { key: null, body: { email, password: canary('a password that is wrong') } });
  await ask('POST', '/api/v1/token/', {
    key: null,
    body: { email: canary('a password in place of the email'), password: 'x' },
  });
  await ask('POST', '/api/v1/token/', {
    key: null,
    body: { email: ADMIN_EMAIL, password: { not: canary('a password that is not a text') } },
  });
  await query(create, {
    input: { email: 'x', password: canary('a password of a user that is refused'), isAdmin: 'no' },
  });
  const { body: session } = await service.rest('POST', '/api/v1/token/', {
    key: null,
    body: { email, password: canary('a second password') },
  });
  const { body: next } = await service.rest('POST', '/api/v1/token/refresh/', {
    key: null,
    body: { refresh: session.refresh },
  });
  Object.assign(canaries, {
    'an access token': session.access,
    'a spent refresh token': session.refresh,
    'a refresh token': next.refresh,
  });
  const headers = { Authorization: `Bearer ${next.access}` };
  await ask('GET', '/api/v1/projects/', { key: null, headers });
  const keyRequest = { key: null, headers: { ...headers, 'Idempotency-Key': 'one key' }, body: { name: 'A key' } };
  const { body: key } = await service.rest('POST', '/api/v1/api-keys/', keyRequest);
  const { body: replayed } = await service.rest('POST', '/api/v1/api-keys/', keyRequest);
  expect(replayed.key).toBe(key.key);
  canaries['an API key'] = key.key;
  await ask('GET', '/api/v1/api-keys/', { key: key.key });
  await ask('DELETE', `/api/v1/api-keys/${key.id}/`, { key: key.key });
  await ask('GET', '/api/v1/api-keys/', { key: key.key });
  await ask('POST', '/api/v1/token/refresh/', { key: null, body: { refresh: session.refresh } });
}

async function sendProviderKeys(): Promise<void> {
  const attach = `mutation ($id: Int!, $input: ProviderKeyInput!) {
    providerKeyAttach(projectId: $id, input: $input) { providerKey { id last4 name baseUrl } } }`;
  const own = { name: 'Ours', provider: 'OPENAI', baseUrl: `${echoUpstream.origin}/v1` };
  const attached = await query(attach, {
    id: project,
    input: { ...own, key: canary('a provider key') },
  });
  const { id: keyId } = attached.providerKeyAttach.providerKey;
  const keyWithSpace = `${canary('a provider key that is refused')} `;
  await query(attach, { id: project, input: { ...own, key: keyWithSpace } });
  await query(attach, { id: project, input: { ...own, key: { not: canary('a provider key that is not a text') } } });
  await query('mutation ($id: Int!) { providerKeyTest(id: $id) { providerKeyTest { isAccepted error } } }', {
    id: keyId,
  });
  await query('query ($id: Int!) { project(id: $id) { attachedProviderKeys { id name last4 } } }', { id: project });
  for (const [model, stream] of [
    ['parrot', false],
    ['refuser', false],
    ['parrot', true],
  ] as const) {
    const body = { model, stream, messages: [{ role: 'user', content: 'Say it.' }] };
    const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'X-Project-Id': String(project) };
    await ask('POST', '/v1/chat/completions', { key: null, headers, body });
  }
  await run(await save(workflowOf(llm('{{ input.key }}', 'parrot'))), { key: canary('a prompt by a provider key') });
  await run(await save(workflowOf(llm('{{ input.key }}', 'refuser'))), {
    key: canary('a prompt refused by a provider'),
  });
  await query('query ($id: Int!) { chatTransactions(projectId: $id) { items { description reason } } }', {
    id: project,
  });
  await query('mutation ($id: Int!) { providerKeyDetach(id: $id) { providerKey { id last4 } } }', { id: keyId });
  await query(attach, { id: project, input: { ...own, key: canary('a provider key that stays') } });
}

async function sendInvalidCredentials(): Promise<void> {
  await ask('GET', '/api/v1/projects/', { key: canary('a key that does not exist') });
  await ask('GET', '/api/v1/projects/', {
    key: null,
    headers: { Authorization: `Bearer ${canary('a session that does not exist')}` },
  });
  await ask('GET', `/api/v1/projects/?api_key=${canary('a key in the address')}`);
  await ask('POST', '/api/v1/projects/', { body: `{"name": "${canary('a text in broken JSON')}"` });
  await query('query ($id: Int!) { project(id: $id) { name } }', { id: canary('a value of the wrong type') });
  await query(
    `{ projects(filter: {nameContains: ${JSON.stringify(canary('a value in the query'))}, x: 1}) { total } }`,
  );
}

async function sendInvalidCredentialsOverSocket(): Promise<void> {
  await overSocket([], { 'X-Api-Key': canary('a key over a socket that does not exist') });
  await overSocket([], { authorization: `Bearer ${canary('a session over a socket that does not exist')}` });
  const project = 'query ($id: Int!) { project(id: $id) { name } }';
  const changed = 'subscription ($id: UUID!) { workflowRunChanged(id: $id) { sequence } }';
  await overSocket([
    subscribeMessage('a', project, { id: canary('a value of the wrong type over a socket') }),
    subscribeMessage('b', changed, { id: canary('an invalid id over a socket') }),
    subscribeMessage(
      'c',
      `{ projects(filter: {x: ${JSON.stringify(canary('a value in the query over a socket'))}}) { total } }`,
    ),
    subscribeMessage('d', `{ me { id } "${canary('a text in a broken query over a socket')}" }`),
  ]);
  await overSocket([{ id: canary('an id of no message'), type: canary('a type of no message') }]);
}

async function readAuditLog(): Promise<void> {
  await query(
    '{ auditLog(size: 100) { items { action objectId userEmail detail } } users(size: 100) { items { email name } } }',
  );
}

/** Requests with credentials that are shown once or never. The last one reads the audit log of those in front of it. */
export const CREDENTIAL_REQUESTS: [title: string, send: () => Promise<void>][] = [
  ['of users', sendUserCredentials],
  ['of model providers', sendProviderKeys],
  ['invalid', sendInvalidCredentials],
  ['invalid, over a socket', sendInvalidCredentialsOverSocket],
  ['in the audit log', readAuditLog],
];
