import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chain, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

const UNFIT = 'The mapping of the trigger cannot be evaluated: ';
const JSON_TYPE = { 'Content-Type': 'application/json' };
let service: TestService;
let project: number;
let workflow: number;

beforeAll(async () => {
  service = await startTestService();
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Mappings' } })).body.id;
  workflow = await createWorkflow(chain(trigger(), output('done')));
});
afterAll(() => service?.stop());

async function createWorkflow(data: unknown): Promise<number> {
  return (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
}

async function createTrigger(settings: object, of = workflow) {
  const body = { name: 'T', ...settings };
  const answer = await service.rest('POST', `/api/v1/workflows/${of}/triggers/`, { body });
  expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })]);
  return answer.body as { id: number; path: string };
}

const log = async (id: number): Promise<any[]> => (await service.rest('GET', `/api/v1/triggers/${id}/log/`)).body.items;
const count = async (sql: string, ...values: unknown[]) => (await service.sql(sql, values))[0]!.count;

it('the input of a webhook run has the headers without the one that proves the sender', async () => {
  const secret = 'a long secret';
  const inputOf = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      body: '{}',
      headers: { ...JSON_TYPE, ...headers },
    });
    const { run_id: id } = (await answer.json()) as { run_id: string };
    const { data } = await service.graphql('query ($id: UUID!) { workflowRun(id: $id) { inputData } }', { id });
    return data.workflowRun.inputData;
  };
  const ofHeader = await createTrigger({ webhook: { verification: 'header', header_name: 'X-Own-Token', secret } });
  const input = await inputOf(ofHeader.path, { 'X-Own-Token': secret, 'X-Other': 'shown' });
  expect(input.headers).toMatchObject({ 'x-other': 'shown' });
  expect(JSON.stringify(input)).not.toContain(secret);

  const ofGitHub = await createTrigger({ webhook: { verification: 'github', secret } });
  const signature = `sha256=${createHmac('sha256', secret).update('{}').digest('hex')}`;
  const signed = await inputOf(ofGitHub.path, { 'X-Hub-Signature-256': signature });
  expect(JSON.stringify(signed)).not.toContain(signature);
});

describe('a webhook whose mapping fails', () => {
  it.each([
    ['has a missing member', '{{ input.body.a }}', '{}'],
    ['has a missing query parameter', '{{ input.query.q }}', '{}'],
    ['has no number', '{{ number(input.body.a) }}', '{"a":"secret-x"}'],
    ['makes a text that is too long', '{{ repeat("x", 33000000) }}', '{}'],
  ])('refuses a call that %s and logs the reason', async (_title, z, body) => {
    const { id, path } = await createTrigger({ webhook: { mapping: { z } } });
    const answer = await fetch(service.url + path, { method: 'POST', body, headers: JSON_TYPE });
    const content = (await answer.json()) as { code: string; message: string };
    expect([answer.status, content.code]).toEqual([400, 'mapping_failed']);
    expect(content.message).toContain(UNFIT);
    expect(content.message).not.toContain('secret-x');
    expect(await log(id)).toMatchObject([{ outcome: 'rejected', run_id: null, reason: content.message }]);
  });

  it('keeps no files of a refused call, and those of an earlier one', async () => {
    const { id, path } = await createTrigger({ webhook: { mapping: { file: '{{ input.body.file }}' } } });
    const form = new FormData();
    form.append('file', new File(['content'], 'a.txt'));
    const call = (key: string) =>
      fetch(service.url + path, { method: 'POST', body: form, headers: { 'Idempotency-Key': key } });
    const files = () => count('select count(*)::int as count from project_file where project_id = $1', project);
    expect((await call('one')).status).toBe(202);
    const webhook = { mapping: { z: '{{ input.body.missing }}' } };
    await service.rest('PATCH', `/api/v1/triggers/${id}/`, { body: { webhook } });
    for (const key of ['one', 'two']) expect((await call(key)).status).toBe(400);
    expect(await files()).toBe(1);
  });

  it('refuses an input with a null character', async () => {
    const { id, path } = await createTrigger({ webhook: { mapping: { z: '{{ input.query.q }}' } } });
    const answer = await fetch(`${service.url}${path}?q=a%00b`, { method: 'POST', body: '{}', headers: JSON_TYPE });
    expect([answer.status, await log(id)]).toEqual([422, [expect.objectContaining({ outcome: 'refused' })]]);
  });
});

describe('a chat whose mapping fails', () => {
  const mapping = { r: '{{ number(input.message) }}' };

  async function send(path: string, conversation: string, text: string) {
    const body = JSON.stringify({ conversation_id: conversation, message_id: randomUUID(), text });
    const answer = await fetch(`${service.url}${path}/messages`, { method: 'POST', body, headers: JSON_TYPE });
    return { status: answer.status, content: await answer.text() };
  }

  it('leaves the messages without an answer, logs the reason and takes further ones', async () => {
    const { id, path } = await createTrigger({ chat: { mapping } });
    const conversation = randomUUID();
    for (let sent = 1; sent <= 4; sent++) {
      const { status, content } = await send(path, conversation, 'abc');
      expect([status, content]).toEqual([200, expect.stringContaining('"state":"failed"')]);
      expect(await log(id)).toHaveLength(sent);
    }
    expect((await log(id))[0]).toMatchObject({ outcome: 'refused', reason: expect.stringContaining(UNFIT) });
    expect((await send(path, conversation, '7')).content).toContain('"state":"answered"');
  });

  it('does the same for members', async () => {
    const { id } = await createTrigger({ chat: { access: 'members', mapping } });
    const conversation = randomUUID();
    for (let sent = 1; sent <= 4; sent++) {
      const body = { conversation_id: conversation, message_id: randomUUID(), text: 'abc' };
      const answer = await service.rest('POST', `/api/v1/triggers/${id}/chat/messages/`, { body });
      expect(answer).toMatchObject({ status: 201, body: { state: 'failed', answer: null } });
    }
    expect(await log(id)).toHaveLength(4);
  });
});

it('counts only messages whose runs have not ended, also if no client waits for the answers', async () => {
  const slow = await createWorkflow(chain(trigger(), node('delay-node', { seconds: 10 }), output('late')));
  const { id } = await createTrigger({ chat: { access: 'members', wait_seconds: 1 } }, slow);
  const conversation = randomUUID();
  const send = () => {
    const body = { conversation_id: conversation, message_id: randomUUID(), text: 'Hi' };
    return service.rest('POST', `/api/v1/triggers/${id}/chat/messages/`, { body });
  };
  const sent = await Promise.all([send(), send(), send()]);
  expect(sent.map(({ body }) => body.state)).toEqual(['pending', 'pending', 'pending']);
  const answer = await eventually(send, ({ status }) => status !== 409);
  expect(answer.status).toBe(201);
});
