import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { sendJob } from '../../support/jobs/send-job.js';
import { pdf } from '../../support/sample-documents.js';
import { type RestOptions, startTestService, type TestService } from '../../support/service.js';
import { type LoopbackServer, serveHttp } from '../../support/upstreams/loopback-server.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/upstreams/webhook-receiver.js';
import { restAsDeclared } from '../declared-answers.js';

const MATTER = `Green tea is made from tea leaves. Green tea leaves are not oxidized. The caffeine content of green tea is
moderate, and the caffeine content depends on the water temperature. A high water temperature makes green tea bitter.`;
const PAGE = `<!doctype html><html><head><title>Green tea guide</title><script>var secretScript = "script text"</script></head>
  <body><nav>Navigation menu. Navigation menu. Navigation menu.</nav><main><h1>Green tea</h1><p>${MATTER}</p>
  <p>${'Ceramic teapots keep the warmth of green tea. '.repeat(6)}</p></main>
  <footer>Cookie settings. Cookie settings. Cookie settings.</footer></body></html>`;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const MEGABYTE = 1024 * 1024;

let service: TestService;
let pages: LoopbackServer;
let receiver: WebhookReceiver;
let project: number;

const call = (method: string, path: string, options: RestOptions = {}) =>
  restAsDeclared(service, method, `/api/v1/${path}`, options);
const start = async (body: Record<string, unknown>) =>
  (await call('POST', 'keywordruns/', { body: { project, ...body } })).body.id as number;
const awaitEnd = (id: number) =>
  eventually(
    async () => (await call('GET', `keywordruns/${id}/`)).body,
    run => run.status === 'finished' || run.status === 'error',
  );
const execute = async (body: Record<string, unknown>) => awaitEnd(await start(body));
const keywordsOf = async (run: number) =>
  (await call('GET', `keywords/?keywordrun=${run}&size=100`)).body.items as { name: string; competitor_url: string }[];
const namesOf = async (run: number) => (await keywordsOf(run)).map(({ name }) => name);

/** Sends 100 MB, as fast as they are read. */
function sendHugePage(response: ServerResponse): void {
  const chunk = Buffer.alloc(MEGABYTE, '<p>green tea leaves</p> ');
  let left = 100;
  const more = () => {
    while (left-- > 0) if (!response.write(chunk)) return void response.once('drain', more);
    response.end();
  };
  more();
}

/** Requests of `/hang` whose connection has been closed. */
let closedHangs = 0;

const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  '/page': response => response.end(PAGE),
  '/text': response => response.setHeader('content-type', 'text/plain').end(MATTER),
  '/pdf': response => response.end(pdf([MATTER])),
  '/picture': response => response.setHeader('content-type', 'text/html').end(PNG),
  '/svg': response => response.end('<svg xmlns="http://www.w3.org/2000/svg"><text>green tea</text></svg>'),
  '/zip': response => response.end(Buffer.from('504b0506'.padEnd(44, '0'), 'hex')),
  '/bytes': response => response.end(Buffer.from([0, 1, 2, 255, 254, 0, 1, 0, 7])),
  '/empty': response => response.end(),
  '/wordless': response => response.end('<html><body><img src="a.png"> 12 &amp; 34</body></html>'),
  '/gone': response => response.writeHead(404).end(PAGE),
  '/loop': response => response.writeHead(302, { location: '/loop' }).end(),
  '/inward': response => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  '/huge': sendHugePage,
  '/declared': response => response.writeHead(200, { 'content-length': String(100 * MEGABYTE) }).end('<html>'),
  '/bomb': response =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(100 * MEGABYTE, 'tea '))),
  '/deep': response => response.end(`<html><body>${'<div>'.repeat(200_000)}green tea`),
  '/hang': response => response.once('close', () => (closedHangs += 1)),
};

beforeAll(async () => {
  pages = await serveHttp(({ url = '' }, response) => {
    if (url === '/moved') response.writeHead(301, { location: `${pages.url}/page` }).end();
    else ANSWERS[url]?.(response);
  });
  receiver = await startWebhookReceiver();
  service = await startTestService();
  const body = { name: 'Tea', webhook_url: `${receiver.origin}/webhook`, is_webhook_enabled: true };
  project = (await call('POST', 'projects/', { body })).body.id;
});
afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
  await pages?.close();
});

describe('a keyword run of a page', () => {
  it('finds what the page is about, without its navigation', async () => {
    const run = await execute({ url: `${pages.url}/page`, preset: 2 });
    expect(run).toMatchObject({ status: 'finished', error: null, cost: { USD: '0', SR: '0' }, clusters: [] });
    const found = await keywordsOf(run.id);
    expect(found).toHaveLength(run.keywords_count);
    expect(found[0]).toMatchObject({ name: expect.stringMatching(/^green tea/i), competitor_url: `${pages.url}/page` });
    const all = found.map(({ name }) => name.toLowerCase());
    expect(all).toContain('water temperature');
    expect(all.filter(name => /navigation|cookie|script/.test(name))).toEqual([]);
    expect(all.length).toBeLessThanOrEqual(25);
  });

  it('follows redirects, reads plain text and PDF, and clusters on request', async () => {
    const runs = await Promise.all(
      ['moved', 'text', 'pdf'].map(path => execute({ url: `${pages.url}/${path}`, do_clusterize: true })),
    );
    for (const run of runs) {
      expect(run).toMatchObject({ status: 'finished', keywords_count: 10 });
      expect(run.clusters.flatMap((cluster: any) => cluster.keywords)).toHaveLength(10);
      expect(run.clusters[0].keywords.length).toBeGreaterThan(1);
    }
  });

  it('leaves out the project’s stopwords, and lists keywords on the topic first', async () => {
    const own = (await call('POST', 'projects/', { body: { name: 'Stops' } })).body.id;
    await call('POST', `projects/${own}/set-stopwords/`, { body: { stopwords: ['leaves', 'Caffeine content'] } });
    const run = await execute({ project: own, url: `${pages.url}/page`, topic: 'teapots', preset: 4 });
    const names = (await namesOf(run.id)).map(name => name.toLowerCase());
    expect(names.filter(name => /leaves|caffeine content/.test(name))).toEqual([]);
    expect(names[0]).toContain('teapots');
    expect(names).toContain('caffeine');
  });

  it('has more keywords with a greater preset', async () => {
    const run = await execute({ url: `${pages.url}/page` });
    expect(run.keywords_count).toBe(10);
    const first = await namesOf(run.id);
    const more = (await call('PATCH', `keywordruns/${run.id}/`, { body: { preset: 2 } })).body;
    expect(more.keywords_count).toBeGreaterThan(10);
    expect((await namesOf(run.id)).filter(name => first.includes(name))).toEqual(first);
  });

  const REASONS: [path: string, reason: RegExp][] = [
    ['/picture', /leads to a picture \(image\/png\)/],
    ['/svg', /leads to a picture \(image\/svg\+xml\)/],
    ['/zip', /leads to a file \(application\/zip\)/],
    ['/bytes', /unknown kind/],
    ['/empty', /No text/],
    ['/wordless', /no key phrases/],
    ['/gone', /status 404/],
    ['/loop', /More than the allowed 5 redirects/],
    ['/inward', /could not be fetched: .*allowed/],
    ['/huge', /larger than the allowed 10 MB/],
    ['/declared', /larger than the allowed 10 MB/],
    ['/bomb', /larger than the allowed 10 MB/],
    ['/deep', /too deep/],
    ['http://10.0.0.1/', /could not be fetched: .*allowed/],
    ['http://[::1]/', /could not be fetched: .*allowed/],
    ['http://127.0.0.1:1/', /could not be fetched: The connection failed/],
    ['http://nowhere.invalid/', /could not be fetched: The host name was not found/],
  ];

  it('ends with the reason when there is nothing to read', async () => {
    const runs = await Promise.all(
      REASONS.map(([path]) => execute({ url: path.startsWith('/') ? pages.url + path : path, do_clusterize: true })),
    );
    for (const [at, [path, reason]] of REASONS.entries())
      expect({ path, ...runs[at] }).toMatchObject({
        ...{ path, status: 'error', keywords_count: 0, clusters: [] },
        error: expect.stringMatching(reason),
      });
    // The worker is free for other runs.
    expect((await execute({ url: `${pages.url}/text` })).status).toBe('finished');
  });
});

describe('a keyword run of a topic, without a model', () => {
  it('uses the enabled chunks of the project that match', async () => {
    const [made] = await service.sql(
      `with document as (
         insert into document (project_id, key, filename, result_file, content_type, size, sha256)
         values ($1, 'd', 'd.txt', gen_random_uuid(), 'text/plain', 1, '\\x00') returning id),
       run as (
         insert into recognition_run (project_id, document_id, chunk_size, state, finished_at)
         select $1, id, 500, 'finished', now() from document returning id)
       insert into recognition_chunk (run_id, index, text, tokens)
       select run.id, nr - 1, text, 1 from run, unnest($2::text[]) with ordinality as t(text, nr) returning run_id`,
      [project, [MATTER, 'Motor oil for tractors. Motor oil is changed every spring by every farmer.']],
    );
    const run = await execute({ topic: 'water temperature for green tea' });
    expect(run).toMatchObject({ status: 'finished', keywords_count: 10, cost: { USD: '0', SR: '0' } });
    const names = (await namesOf(run.id)).map(name => name.toLowerCase());
    expect(names.slice(0, 5).some(name => name.includes('green tea'))).toBe(true);
    expect(names.filter(name => name.includes('motor'))).toEqual([]);
    await call('POST', `recognitionruns/${made!.run_id}/disable-chunks/`);
    expect((await execute({ topic: 'green tea' })).error).toMatch(/No model provider is configured/);
  });

  it('ends with the reason where nothing matches', async () => {
    const run = await execute({ topic: 'submarines' });
    expect(run).toMatchObject({
      status: 'error',
      error: expect.stringMatching(/no enabled chunk .* matches the topic/),
    });
  });
});

describe('a keyword run', () => {
  it('sends events to subscribers and to webhooks', async () => {
    const id = await start({ url: `${pages.url}/text` });
    const query = 'subscription ($id: Int!) { keywordRunChanged(id: $id) { status keywordsCount } }';
    const seen: any[] = [];
    for await (const { data } of service.subscribe(query, { id })) seen.push(data.keywordRunChanged);
    expect(seen.at(-1)).toEqual({ status: 'SUCCEEDED', keywordsCount: 10 });
    const deliveriesOf = (run: number) =>
      eventually(
        async () => receiver.calls('/webhook').filter(({ body }) => body.data.id === run),
        calls => calls.length > 0,
      );
    const record = (await call('GET', `keywordruns/${id}/`)).body;
    const [finished] = await deliveriesOf(id);
    expect(finished!.body).toMatchObject({
      type: 'keyword_run.finished',
      data: {
        ...{ id, project, topic: '', url: `${pages.url}/text`, preset: 1, status: 'finished', keywords_count: 10 },
        ...{ error: null, cost: record.cost, created_at: record.created_at, finished_at: expect.any(String) },
      },
    });
    const failed = await start({ url: `${pages.url}/gone` });
    expect((await deliveriesOf(failed))[0]!.body).toMatchObject({
      type: 'keyword_run.error',
      data: { id: failed, status: 'error', error: 'The page returned the HTTP status 404.' },
    });
    const outsider = await service.createUser('outsider');
    const refused = await service
      .subscribe(query, { id }, outsider.key)
      .next()
      .catch((error: unknown) => error);
    expect(JSON.stringify(refused)).toContain('NOT_FOUND');
  });

  it('fills the variables that wait for its keywords', async () => {
    const keywordrun = await start({ url: `${pages.url}/text`, do_clusterize: true });
    const createVariable = async (keywordrun_mode: string) =>
      (
        await call('POST', 'variables/', {
          body: { key: `waits ${keywordrun_mode}`, project, variable_names: [], keywordrun, keywordrun_mode },
        })
      ).body.id;
    const [all, clusters] = [await createVariable('all'), await createVariable('clusters')];
    const run = await awaitEnd(keywordrun);
    const values = async (id: number) => (await call('GET', `variables/${id}/`)).body.variable_names;
    expect((await values(all)).map(({ value }: any) => value)).toEqual(await namesOf(keywordrun));
    expect((await values(clusters)).map(({ id, name }: any) => ({ id, name }))).toEqual(
      run.clusters.map(({ id, name }: any) => ({ id, name })),
    );
  });

  const insertRun = async (columns: string, values: string) => {
    const [row] = await service.sql<{ id: number; job: string }>(
      `insert into keyword_run (project_id, url, preset, ${columns}) values ($1, $2, 1, ${values})
       returning id, billing_id as job`,
      [project, `${pages.url}/text`],
    );
    await sendJob(service, 'keyword-run', row!.job);
    return row!.id;
  };

  it('is taken over when its worker died', async () => {
    const id = await insertRun('status, attempts, lease_token', `'in_progress', 1, 5`);
    expect(await awaitEnd(id)).toMatchObject({ status: 'finished', keywords_count: 10 });
  });

  it('ends when it has crashed its worker three times', async () => {
    const id = await insertRun('status, attempts', `'in_progress', 3`);
    expect(await awaitEnd(id)).toMatchObject({ status: 'error', error: expect.stringContaining('3 times') });
  });

  it('is gone when it is deleted in progress, and its page is no longer waited for', async () => {
    const id = await start({ url: `${pages.url}/hang` });
    await eventually(
      async () => (await call('GET', `keywordruns/${id}/`)).body.status,
      status => status === 'in_progress',
    );
    const before = closedHangs;
    expect((await call('DELETE', `keywordruns/${id}/`)).status).toBe(204);
    await eventually(
      async () => closedHangs,
      closed => closed > before,
    );
    expect((await call('GET', `keywordruns/${id}/`)).status).toBe(404);
  });
});
