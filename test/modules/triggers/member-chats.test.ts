import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, field, output, trigger } from '../../support/graphs.js';
import { setRole } from '../../support/members.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let workflow: number;
let viewer: { key: string; email: string };

beforeAll(async () => {
  service = await startTestService();
  const project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Chats' } })).body.id;
  const data = chain(trigger(field('message')), output('You said {{ input.message }}'));
  workflow = (await service.rest('POST', '/api/v1/workflows/', { body: { project, title: 'W', data } })).body.id;
  viewer = await service.createUser('viewer');
  await setRole(service, project, viewer.email, 'viewer');
});
afterAll(() => service?.stop());

async function createChat(chat: object = {}) {
  const body = { name: 'Help', chat: { access: 'members', ...chat } };
  return (await service.rest('POST', `/api/v1/workflows/${workflow}/triggers/`, { body })).body as {
    id: number;
    path: string;
    project: number;
  };
}

const send = (id: number, conversation_id: string, text: string, message_id: string = randomUUID(), key = viewer.key) =>
  service.rest('POST', `/api/v1/triggers/${id}/chat/messages/`, { body: { conversation_id, message_id, text }, key });
const read = (id: number, conversation: string, key = viewer.key) =>
  service.rest('GET', `/api/v1/triggers/${id}/chat/?conversation_id=${conversation}`, { key });

describe('a chat for members', () => {
  it('answers a viewer once for each message, and is audited', async () => {
    const { id, path, project } = await createChat({ title: 'Help desk' });
    expect(path).toBe(`/projects/${project}/chats/${id}`);
    const [conversation, message] = [randomUUID(), randomUUID()];
    const first = await send(id, conversation, 'Hi', message);
    expect(first).toMatchObject({ status: 201, body: { text: 'Hi', answer: 'You said Hi', state: 'answered' } });
    expect((await send(id, conversation, 'Hi', message)).body).toEqual(first.body);
    expect((await read(id, conversation)).body).toEqual({ title: 'Help desk', greeting: '', messages: [first.body] });
    const [run] = await service.sql<{ email: string }>(
      'select u.email from workflow_run r join app_user u on u.id = r.user_id where r.id = $1',
      [first.body.run_id],
    );
    expect(run?.email).toBe('admin@example.com');
    const [entry] = await service.sql<{ email: string; detail: object }>(
      `select user_email as email, detail from audit_entry where action = 'conversation.send' and object_id = $1`,
      [String(id)],
    );
    expect(entry).toMatchObject({ email: viewer.email, detail: { runId: first.body.run_id } });
  });

  it('shows members only their own conversations', async () => {
    const { id } = await createChat();
    const conversation = randomUUID();
    await send(id, conversation, 'Mine');
    expect((await read(id, conversation, service.key)).body.messages).toEqual([]);
    expect((await read(id, conversation)).body.messages).toHaveLength(1);
    const { key } = await service.createUser('outsider');
    expect((await read(id, conversation, key)).status).toBe(404);
    expect((await send(id, conversation, 'Hi', randomUUID(), key)).status).toBe(404);
  });

  it('refuses empty messages, a closed chat and public chats, and has no public page', async () => {
    const { id } = await createChat();
    expect((await send(id, randomUUID(), ' ')).status).toBe(400);
    await service.rest('PATCH', `/api/v1/triggers/${id}/`, { body: { is_enabled: false } });
    expect((await send(id, randomUUID(), 'Hi')).status).toBe(409);
    const open = await createChat({ access: 'public' });
    expect((await send(open.id, randomUUID(), 'Hi')).status).toBe(409);
    const chat = { access: 'members' };
    await service.rest('PATCH', `/api/v1/triggers/${open.id}/`, { body: { chat } });
    expect((await fetch(`${service.url}${open.path}`)).status).toBe(404);
    expect((await service.rest('POST', `/api/v1/triggers/${open.id}/rotate/`)).status).toBe(409);
  });
});

describe('the conversations of a chat', () => {
  it('are listed and deleted by editors, not by viewers', async () => {
    const { id } = await createChat();
    await send(id, randomUUID(), 'x'.repeat(300));
    const newest = randomUUID();
    await send(id, newest, 'One');
    await send(id, newest, 'Two');
    const list = (query = '', key = service.key) =>
      service.rest('GET', `/api/v1/triggers/${id}/conversations/${query}`, { key });
    const { body } = await list();
    expect(body).toMatchObject({
      total: 2,
      items: [
        { trigger: id, beginning: 'One', message_count: 2 },
        { beginning: 'x'.repeat(200), message_count: 1 },
      ],
    });
    expect((await list('?page=2&size=1')).body.items).toEqual([body.items[1]]);
    expect((await list('', viewer.key)).status).toBe(403);
    const [{ id: deleted }] = body.items;
    const remove = (key = service.key) => service.rest('DELETE', `/api/v1/conversations/${deleted}/`, { key });
    expect((await remove(viewer.key)).status).toBe(403);
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await list()).body.total).toBe(1);
    expect((await read(id, newest)).body.messages).toEqual([]);
    const [entry] = await service.sql<{ detail: object }>(
      `select detail from audit_entry where action = 'conversation.delete' and object_id = $1`,
      [deleted],
    );
    expect(entry?.detail).toEqual({ triggerId: id, messages: 2 });
    // A visitor whose conversation was deleted begins a new one.
    expect((await send(id, newest, 'Again')).body).toMatchObject({ answer: 'You said Again' });
  });
});
