import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditServer } from 'graphql-http';
import { GraphQLClient } from 'graphql-request';
import { createClient } from 'graphql-sse';
import OpenAI from 'openai';
import {
  CHANGES,
  type Change,
  ClientFixture,
  isCountedFromOne,
  PROJECT,
  RENAME,
  sequencesOf,
  UPLOAD,
} from './client-fixture.js';

let fixture: ClientFixture;
beforeAll(async () => {
  fixture = await ClientFixture.open();
});
afterAll(() => fixture?.close());

describe('graphql-request', () => {
  it.each(['POST', 'GET'] as const)('queries a project by %s, after a mutation by POST', async method => {
    const client = new GraphQLClient(fixture.url, { headers: fixture.headers, method });
    if (method === 'POST') await client.request(RENAME, { id: fixture.project, name: 'by graphql-request' });
    expect(await client.request(PROJECT, { id: fixture.project })).toEqual({
      project: { __typename: 'Project', id: fixture.project, name: await fixture.projectName() },
    });
  });

  it('reports the code of an invalid operation', async () => {
    const query = new GraphQLClient(fixture.url, { headers: fixture.headers }).request('{ nonsense }');
    await expect(query).rejects.toMatchObject({
      response: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
    });
  });
});

describe('graphql-sse', () => {
  it('subscribes from any sequence to the end, and runs other operations', async () => {
    const client = createClient({ url: fixture.url, headers: fixture.headers });
    const id = await fixture.finishedRun();
    const changesFrom = async (after: number) => {
      const changes: Change[] = [];
      for await (const { data } of client.iterate<Change>({ query: CHANGES, variables: { id, after } }))
        changes.push(data!);
      return sequencesOf(changes);
    };
    const all = await changesFrom(0);
    expect(isCountedFromOne(all)).toBe(true);
    expect(await changesFrom(2)).toEqual(all.slice(2));
    const { value } = await client.iterate({ query: PROJECT, variables: { id: fixture.project } }).next();
    expect(value).toMatchObject({ data: { project: { id: fixture.project } } });
    client.dispose();
  });

  it('is refused with a wrong key', async () => {
    const client = createClient({ url: fixture.url, headers: { 'X-Api-Key': 'sk-wrong' }, retryAttempts: 0 });
    const first = client.iterate({ query: CHANGES, variables: { id: '01a1fccb-0000-7000-8000-000000000000' } }).next();
    await expect(first).rejects.toMatchObject({ response: { status: 401 } });
  });
});

describe('curl', () => {
  const run = promisify(execFile);
  const operations = () => JSON.stringify({ query: UPLOAD, variables: { project: fixture.project, files: [null] } });

  it.each([
    ['X-Api-Key: KEY', '"__typename"'],
    ['X-Nothing: x', 'X-Api-Key, Authorization'],
  ])('uploads a file with -F and the header %s; without one the error names the header', async (header, answer) => {
    const file = path.join(process.env.TEST_DATA_DIR as string, 'curl.txt');
    await writeFile(file, 'curl');
    const { stdout } = await run('curl', [
      ...['-sS', fixture.url, '-H', header.replace('KEY', fixture.service.key)],
      ...['-F', `operations=${operations()}`, '-F', 'map={"0": ["variables.files.0"]}', '-F', `0=@${file}`],
    ]);
    expect(stdout).toContain(answer);
    // The refused request of the second row adds no document to that of the first one.
    expect(await fixture.documentNames()).toEqual(['curl.txt']);
  });
});

describe('openai', () => {
  it('completes a chat, whole and streamed', async () => {
    const client = new OpenAI({ baseURL: `${fixture.service.url}/v1`, apiKey: fixture.service.key });
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const whole = await client.chat.completions.create({ model: 'echo', messages });
    expect(whole.choices[0]?.message.content).toContain('Hello');
    let text = '';
    for await (const { choices } of await client.chat.completions.create({ model: 'echo', messages, stream: true }))
      text += choices[0]?.delta.content ?? '';
    expect(text).toBe(whole.choices[0]?.message.content);
  });
});

it('GraphQL over HTTP: all audits pass but for the statuses that ADR 0043 decides', async () => {
  const withKey = (input: string, init: RequestInit = {}) =>
    fetch(input, { ...init, headers: { ...(init.headers as Record<string, string>), ...fixture.headers } });
  const results = await auditServer({ url: fixture.url, fetchFn: withKey });
  expect(results).toHaveLength(61);
  const failed = results.filter(({ status }) => status !== 'ok').map(({ id, name, status }) => ({ id, name, status }));
  expect(failed).toEqual([
    { id: '572B', name: expect.stringContaining('200 status code on document parsing failure'), status: 'warn' },
    { id: 'FDE2', name: expect.stringContaining('200 status code on document validation failure'), status: 'warn' },
    { id: '7B9B', name: expect.stringContaining('200 on variable coercion failure'), status: 'warn' },
  ]);
});
