import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chain, field, greeting, node, output, trigger } from '../support/graphs.js';
import {
  copyFromMarketplace,
  createPerson,
  type Person,
  runToEnd,
  type SoldWorkflow,
  sell,
} from '../support/market.js';
import { joinProject } from '../support/members.js';
import { startTestService, type TestService } from '../support/service.js';
import { createLogin } from '../support/sessions.js';
import { restAsDeclared } from './declared-answers.js';

let service: TestService;
let author: Person;
let user: Person;
let editor: Person;
/** On the marketplace, oldest first. */
let sold: SoldWorkflow[];

beforeAll(async () => {
  service = await startTestService();
  [author, user, editor] = [
    await createPerson(service, 'author'),
    await createPerson(service, 'user'),
    await createPerson(service, 'editor'),
  ];
  await joinProject(service, author.project, editor.email, 'editor');
  const more = [
    { market_title: 'Cats', category: 1, subcategory: 1, available_languages: ['en', 'de'] },
    { market_title: 'Dogs 100%', category: 1, available_languages: ['de'] },
    { market_title: 'Cats', category: 2, available_languages: ['pt-BR'] },
  ];
  sold = [];
  for (const each of more) sold.push(await sell(service, author, each, greeting()));
});
afterAll(() => service?.stop());

function post(path: string, body?: unknown, key = author.key) {
  return restAsDeclared(service, 'POST', path, { key, ...(body === undefined ? {} : { body }) });
}
function get(path: string, key: string | null = null, headers = {}) {
  return service.rest('GET', `/api/v1/workflows/marketplace/${path}`, { key, headers });
}
/** Sets a flag of a run: `use` makes it the template, `example` an example. */
const flag = (name: 'use' | 'example', body: unknown, one = sold[0]!, key = author.key) =>
  post(`/api/v1/workflows/${one.workflow}/history/${one.run}/toggle-marketplace-${name}/`, body, key);

describe('publishing', () => {
  it('names all missing requirements at once', async () => {
    const body = { project: author.project, title: 'Bare', data: greeting(), market_title: ' ' };
    const { id } = (await post('/api/v1/workflows/', body)).body;
    const refused = await post(`/api/v1/workflows/${id}/publish-on-marketplace/`);
    expect(refused).toMatchObject({ status: 400, body: { market_title: [expect.any(String)] } });
    expect(Object.keys(refused.body)).toEqual([
      'market_title',
      'short_description',
      'available_languages',
      'use_as_marketplace_template',
    ]);
  });

  it('gives each workflow a slug of its own, and may be repeated', async () => {
    expect(sold.map(({ slug }) => slug)).toEqual(['cats', 'dogs-100', `cats-${sold[2]!.workflow}`]);
    const before = await get('cats/');
    const again = await post(`/api/v1/workflows/${sold[0]!.workflow}/publish-on-marketplace/`);
    expect(again).toMatchObject({ status: 200, body: { slug: 'cats', is_published: true } });
    expect((await get('cats/')).body).toEqual(before.body);
  });

  it.each(['publish-on', 'unpublish-from'])(
    '%s-marketplace is for admins: 400 for editors, 404 for outsiders',
    async to => {
      const path = `/api/v1/workflows/${sold[0]!.workflow}/${to}-marketplace/`;
      expect(await post(path, undefined, editor.key)).toMatchObject({
        status: 400,
        body: { code: 'permission_denied' },
      });
      expect((await post(path, undefined, user.key)).status).toBe(404);
      expect((await service.rest('GET', path, { key: author.key })).headers.get('allow')).toBe('POST, OPTIONS');
    },
  );

  it('keeps the requirements of a published workflow fulfilled', async () => {
    const path = `/api/v1/workflows/${sold[0]!.workflow}/`;
    const body = { market_title: ' ', short_description: null, available_languages: [], title: 'New' };
    const refused = await restAsDeclared(service, 'PATCH', path, { key: author.key, body });
    expect(refused.status).toBe(400);
    expect(Object.keys(refused.body)).toEqual(['market_title', 'short_description', 'available_languages']);
  });
});

describe('flags', () => {
  it('are for admins, and require a boolean', async () => {
    for (const [name, member] of [
      ['example', 'use_in_marketplace_example'],
      ['use', 'use_as_marketplace_template'],
    ] as const) {
      expect((await flag(name, { [member]: true }, sold[0], editor.key)).body.code).toBe('permission_denied');
      expect((await flag(name, { [member]: true }, sold[0], user.key)).status).toBe(404);
      expect(await flag(name, {})).toMatchObject({ status: 400, body: { [member]: ['This field is required.'] } });
      expect(await flag(name, { [member]: 'yes' })).toMatchObject({
        status: 400,
        body: { [member]: ['Must be a valid boolean.'] },
      });
    }
  });

  it('the template is one run that has succeeded', async () => {
    const one = sold[1]!;
    const run = await runToEnd(service, author.key, one.workflow);
    const marked = await flag('use', { use_as_marketplace_template: true }, { ...one, run: run.id });
    expect(marked.body).toMatchObject({ id: run.id, use_as_marketplace_template: true });
    const history = await service.rest('GET', `/api/v1/workflows/${one.workflow}/history/`, { key: author.key });
    const templates = history.body.items.filter((item: any) => item.use_as_marketplace_template);
    expect(templates.map((item: any) => item.id)).toEqual([run.id]);
    const draft = await service.graphql(
      'mutation ($id: Int!) { workflowRunStart(workflowId: $id, input: {topic: "a"}, draft: true) { receipt { data { id: runId } } } }',
      { id: one.workflow },
      author.key,
    );
    const unfinished = { ...one, run: draft.data.workflowRunStart.receipt.data.id };
    expect(await flag('use', { use_as_marketplace_template: true }, unfinished)).toMatchObject({
      status: 400,
      body: { use_as_marketplace_template: ['Only a run that has succeeded can be the template.'] },
    });
    expect((await flag('use', { use_as_marketplace_template: false }, unfinished)).status).toBe(200);
    // An unfinished example is not shown.
    expect((await flag('example', { use_in_marketplace_example: true }, unfinished)).status).toBe(200);
    expect((await get(`${one.slug}/examples/`)).body.map((item: any) => item.id)).toEqual([one.run]);
    expect((await get(`${one.slug}/examples/${unfinished.run}/`)).status).toBe(404);
  });

  it('are refused for a run whose result has expired', async () => {
    const run = await runToEnd(service, author.key, sold[1]!.workflow);
    await service.sql(`update workflow_run set run_finished_at = now() - interval '31 days' where id = $1`, [run.id]);
    const expired = { ...sold[1]!, run: run.id };
    for (const [name, member] of [
      ['example', 'use_in_marketplace_example'],
      ['use', 'use_as_marketplace_template'],
    ] as const)
      expect(await flag(name, { [member]: true }, expired)).toMatchObject({
        status: 400,
        body: { [member]: [expect.stringContaining('expired')] },
      });
    await service.sql('update workflow_run set run_finished_at = now() where id = $1', [run.id]);
  });
});

describe('the list', () => {
  /** The slugs in the answer, without the number that makes the second slug of a title unique. */
  const titleSlugs = async (query: string) => {
    const { status, body } = await get(`?${query}`);
    expect(status).toBe(200);
    return body.items.map((item: any) => item.slug.replace(/-\d+$/, ''));
  };

  it.each([
    ['', ['cats', 'dogs', 'cats']],
    ['ordering=created_at&size=1', ['cats']],
    ['search=CAT', ['cats', 'cats']],
    ['search=100%25', ['dogs']],
    ['search=_', []],
    ['categories=2', ['cats']],
    ['categories=1&categories=2&categories=2000000000', ['cats', 'dogs', 'cats']],
    ['subcategories=1', ['cats']],
    ['languages=en,pt-BR', ['cats', 'cats']],
    ['languages=de', ['dogs', 'cats']],
    ['languages=', ['cats', 'dogs', 'cats']],
    ['search=dogs&languages=en', []],
    ['marketplace_date_last_publication_after=2020-02-29', ['cats', 'dogs', 'cats']],
    ['marketplace_date_last_publication_after=9999-12-31', []],
    ['marketplace_date_last_publication_before=2020-02-29', []],
    ['page=2&size=2', ['cats']],
    ['page=99', []],
    ['size=0', []],
  ])('contains the matching workflows for ?%s', async (query, expected) => {
    expect(await titleSlugs(query)).toEqual(expected);
  });

  it('is searched by the days of the last publication, both included', async () => {
    await service.sql(`update workflow set published_at = '2021-05-05T23:59:59.999Z' where id = $1`, [
      sold[1]!.workflow,
    ]);
    const after = 'marketplace_date_last_publication_after=2021-05-05';
    const before = 'marketplace_date_last_publication_before=2021-05-05';
    expect(await titleSlugs(`${after}&${before}`)).toEqual(['dogs']);
    expect(await titleSlugs('marketplace_date_last_publication_before=2021-05-04')).toEqual([]);
  });

  it('is ordered by statistics of runs', async () => {
    await Promise.all(sold.map(({ workflow }) => runToEnd(service, author.key, workflow)));
    await Promise.all(
      sold.map(({ workflow }, index) =>
        service.sql(
          `update workflow_figures set market_cost_usd = $2, market_last_run_at = now() - make_interval(days => $3) where workflow_id = $1`,
          [workflow, [2, 3, 1][index], [3, 1, 2][index]],
        ),
      ),
    );
    const slugs = async (ordering: string) =>
      (await get(`?ordering=${ordering}`)).body.items.map((item: any) => sold.findIndex(one => one.slug === item.slug));
    expect(await slugs('total_cost')).toEqual([2, 0, 1]);
    expect(await slugs('-total_cost')).toEqual([1, 0, 2]);
    expect(await slugs('last_run_at')).toEqual([0, 2, 1]);
    expect(await slugs('-last_run_at')).toEqual([1, 2, 0]);
    expect(await slugs('-created_at')).toEqual([2, 1, 0]);
  });

  it.each([
    ['ordering=cost', 'ordering'],
    ['ordering=', 'ordering'],
    ['categories=a', 'categories.0'],
    ['subcategories=2147483648', 'subcategories.0'],
    ['languages=e!', 'languages'],
    ['search=%00', 'search'],
    [`search=${'a'.repeat(256)}`, 'search'],
    ['marketplace_date_last_publication_after=2025-02-30', 'marketplace_date_last_publication_after'],
    ['marketplace_date_last_publication_before=yesterday', 'marketplace_date_last_publication_before'],
    ['marketplace_date_last_publication_before=0000-01-01', 'marketplace_date_last_publication_before'],
    ['page=0', 'page'],
    ['size=101', 'size'],
    [`${'categories=1&'.repeat(101)}`, 'categories'],
  ])('refuses %s', async (query, member) => {
    const refused = await restAsDeclared(service, 'GET', `/api/v1/workflows/marketplace/?${query}`, { key: null });
    expect(refused).toMatchObject({ status: 400, body: { [member]: [expect.any(String)] } });
  });
});

describe('public reads', () => {
  it('name an example without its result in the list, because the result is long', async () => {
    const { slug, run } = await sell(service, author, { market_title: 'Long' }, greeting());
    expect((await get(`${slug}/examples/`)).headers.get('x-scenarium-shortened')).toBeNull();
    await service.sql(
      `update workflow_run_payload set result = json_build_object('data', '{}'::json, 'output', repeat('x', 300000)) where run_id = $1`,
      [run],
    );
    const listed = await get(`${slug}/examples/`);
    expect(listed.body).toMatchObject([{ id: run, result: null, input_data: { topic: 'cats' } }]);
    expect(listed.headers.get('x-scenarium-shortened')).toBe(run);
    const { body, headers } = await get(`${slug}/examples/${run}/`);
    expect([body.result.output.length, headers.get('x-scenarium-shortened')]).toEqual([300_000, null]);
  });

  it.each(['', 'cats/', 'cats/examples/'])('of %s may be cached, and are revalidated by their tag', async path => {
    const first = await get(path);
    expect(first.headers.get('cache-control')).toBe('public, max-age=10');
    expect(first.headers.get('vary')).toContain('X-Api-Key, Authorization');
    const tag = first.headers.get('etag')!;
    const again = await get(path, null, { 'If-None-Match': `"other", W/${tag}` });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, tag]);
    expect((await get(path, null, { 'If-None-Match': '"other"' })).status).toBe(200);
    const head = await service.rest('HEAD', `/api/v1/workflows/marketplace/${path}`, { key: null });
    expect([head.status, head.headers.get('etag')]).toEqual([200, tag]);
  });

  it('with a key are private, and counted', async () => {
    await service.sql(
      'update api_key set rate_limit = 1000 where user_id = (select id from app_user where email = $1)',
      [user.email],
    );
    const { headers } = await get('cats/', user.key);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('x-ratelimit-limit')).toBe('1000');
    expect((await get('cats/')).headers.get('x-ratelimit-limit')).toBeNull();
    expect((await get('cats/', 'sk-wrong')).status).toBe(401);
  });

  it.each(['nothing/', '%00/', '%ED%A0%80/', 'nothing/examples/', 'cats/examples/1/', '%00/examples/'])(
    'of %s are 404',
    async path => expect((await get(path)).status).toBe(404),
  );

  it('change nothing', async () => {
    for (const path of ['', 'cats/', 'cats/examples/'])
      expect(await service.rest('POST', `/api/v1/workflows/marketplace/${path}`, { body: {} })).toMatchObject({
        status: 405,
        body: { code: 'method_not_allowed' },
      });
    expect((await get('cats/add-from-marketplace/')).headers.get('allow')).toBe('POST, OPTIONS');
  });
});

describe('copying', () => {
  const copy = (slug: string, body: unknown, key = user.key) =>
    post(`/api/v1/workflows/marketplace/${slug}/add-from-marketplace/`, body, key);

  it('happens once for simultaneous requests', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => copyFromMarketplace(service, user, sold[2]!.slug)));
    expect(new Set(made.map(each => each.id)).size).toBe(1);
    const [count] = await service.sql('select count(*)::int as n from workflow where copied_from_id = $1', [
      sold[2]!.workflow,
    ]);
    expect(count?.n).toBe(1);
    expect((await get(`${sold[2]!.slug}/`)).body.total_users_count).toBe(1);
  });

  it('goes to the oldest owned project by default, and only to a project of the caller', async () => {
    const other = await createPerson(service, 'other');
    expect((await copy('cats', { project: author.project }, other.key)).body).toEqual({
      project: ['Object does not exist.'],
    });
    expect((await copy('cats', {}, other.key)).body.project).toBe(other.project);
    const { key, email } = await service.createUser('without-project');
    await joinProject(service, other.project, email, 'editor');
    const copied = (await copy('cats', {}, key)).body.project;
    expect(copied).not.toBe(other.project);
    const project = await service.rest('GET', `/api/v1/projects/${copied}/`, { key });
    expect(project.body).toMatchObject({ name: 'Personal', can_edit: true });
    expect((await copy('nothing', {})).status).toBe(404);
    expect((await copy('%00', {})).status).toBe(404);
    expect((await copy('cats', { project: 'a' })).status).toBe(400);
  });

  it('needs an API key: a session is refused', async () => {
    const { access } = await createLogin(service, 'session');
    const path = `/api/v1/workflows/marketplace/cats/add-from-marketplace/`;
    const headers = { Authorization: `Bearer ${access}` };
    const refused = await service.rest('POST', path, { key: null, headers, body: {} });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'X-Api-Key']);
  });

  it('again after the copy was deleted makes another, for the same user', async () => {
    const first = await copyFromMarketplace(service, user, 'dogs-100');
    await service.rest('DELETE', `/api/v1/workflows/${first.id}/`, { key: user.key });
    expect((await get('dogs-100/', user.key)).body.copied_workflow_id).toBe(-1);
    const second = await copyFromMarketplace(service, user, 'dogs-100');
    expect(second.id).not.toBe(first.id);
    expect((await get('dogs-100/', user.key)).body).toMatchObject({
      copied_workflow_id: second.id,
      total_users_count: 1,
    });
  });

  it('copies the graph of the template, whatever happened to the workflow since, and lists its references', async () => {
    const data = chain(
      trigger(field('topic')),
      node('switch-node', { value: 'a', cases: [], default_nodes: [] }),
      output('{{ input.topic }}'),
    );
    data.nodes.push(node('subworkflow-node', { workflow_id: sold[0]!.workflow, input: {} }, 'sub'));
    data.nodes.push(node('search-node', { query: 'q', document_ids: [1] }, 'search'));
    const one = await sell(service, author, { market_title: 'References' }, data);
    await restAsDeclared(service, 'PATCH', `/api/v1/workflows/${one.workflow}/`, {
      key: author.key,
      body: { data: greeting() },
    });
    const made = await copyFromMarketplace(service, user, one.slug);
    expect(made.data.nodes).toHaveLength(5);
    expect(made.gaps).toEqual([
      { node_id: 'sub', path: 'workflow_id', kind: 'workflow' },
      { node_id: 'search', path: 'document_ids', kind: 'document' },
    ]);
    const own = (await post('/api/v1/workflows/', { project: user.project, title: 'O', data: greeting() }, user.key))
      .body;
    made.data.nodes[3].data.workflow_id = own.id;
    await service.rest('PATCH', `/api/v1/workflows/${made.id}/`, { key: user.key, body: { data: made.data } });
    const { data: seen } = await service.graphql(`{ workflow(id: ${made.id}) { gaps { nodeId kind } } }`, {}, user.key);
    expect(seen.workflow.gaps).toEqual([{ nodeId: 'search', kind: 'DOCUMENT' }]);
  });
});
