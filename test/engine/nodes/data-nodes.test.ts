import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/engine/json-value.js';
import type { HttpAnswer } from '../../../src/engine/ports.js';
import { formatCsv, listsToJson, parseCsv, rowsToJson } from '../../../src/engine/text/csv.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { fakePorts } from '../fake-ports.js';
import { run, trigger, workflow } from '../samples.js';

const t = trigger('t');

/** Runs one node of this kind and returns its content, or its error. */
async function runNode(type: string, data: JsonObject, input: JsonObject = {}, answer: Partial<HttpAnswer> = {}) {
  const ports = fakePorts({ http: () => ({ status: 200, headers: {}, body: '', ...answer }) });
  const events = await run(workflow([t, { id: 'n', type, data }], ['t>n']), { ports, input });
  const end = events.find(event => 'node' in event && event.node === 'n' && event.type !== 'node.started');
  if (end?.type === 'node.succeeded') return { content: end.content, requests: ports.httpRequests };
  return { error: end?.type === 'node.failed' ? end.error : undefined, requests: ports.httpRequests };
}

const issuesOf = (type: string, data: JsonObject) =>
  checkWorkflow(workflow([t, { id: 'n', type, data }], ['t>n']), { servesModel: () => true })
    .issues.filter(({ severity }) => severity === 'error')
    .map(({ path }) => path);

const NO_CSV = 'input must be CSV text; read a file with a file-node, or use the operation format';

describe('a CSV node', () => {
  it.each<[string, JsonObject, unknown]>([
    ['a,b\r\n1,2\r\n', {}, [{ a: '1', b: '2' }]],
    ['\uFEFFa;b\n"x;""y""\nz";2', { delimiter: ';' }, [{ a: 'x;"y"\nz', b: '2' }]],
    [
      'a,b\n1\n1,2,3',
      {},
      [
        { a: '1', b: '' },
        { a: '1', b: '2', column_3: '3' },
      ],
    ],
    ['a,a,\n1,2,3', {}, [{ a: '1', column_2: '2', column_3: '3' }]],
    [
      'a,b\n1,',
      { has_header: false },
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['', {}, []],
    ['a\r1\r', {}, [{ a: '1' }]],
    ['__proto__\nx', {}, [JSON.parse('{"__proto__":"x"}')]],
  ])('parses %j with %j', async (text, data, rows) => {
    const { content } = await runNode('csv-node', { input: '{{ input.text }}', ...data }, { text });
    expect(JSON.parse(content ?? '')).toEqual(rows);
  });

  it.each<[unknown, JsonObject, string]>([
    [
      [
        { a: 1, b: 'x,y' },
        { b: null, c: true },
      ],
      {},
      'a,b,c\r\n1,"x,y",\r\n,,true\r\n',
    ],
    [
      [
        ['a', 'say "hi"'],
        ['line\nbreak', { x: 1 }],
      ],
      {},
      'a,"say ""hi"""\r\n"line\nbreak","{""x"":1}"\r\n',
    ],
    [[{ a: 1 }], { has_header: false, delimiter: ';' }, '1\r\n'],
    ['[{"a":" x "}]', {}, 'a\r\n" x "\r\n'],
    [[], {}, ''],
  ])('writes %j with %j', async (rows, data, text) => {
    const { content } = await runNode(
      'csv-node',
      { operation: 'format', input: '{{ input.rows }}', ...data },
      { rows },
    );
    expect(content).toBe(text);
  });

  it('reads what it writes', async () => {
    const rows = [
      { a: '"', b: ',\r\n' },
      { a: ' ', b: '' },
    ];
    const written = await runNode('csv-node', { operation: 'format', input: '{{ input.rows }}' }, { rows });
    const { content } = await runNode('csv-node', { input: '{{ input.text }}' }, { text: written.content });
    expect(JSON.parse(content ?? '')).toEqual(rows);
  });

  it.each([
    [{ input: 'a,"b' }, 'row 1: a quote is not closed'],
    [{ input: 'a\n"b"c' }, 'row 2: text follows a closing quote'],
    [{ operation: 'format', input: 'no list' }, 'input must be a list of rows, or its JSON text'],
    [{ input: ','.repeat(1_000_001) }, 'the text has more than 1000000 cells'],
    [
      { input: `${'a,'.repeat(1001)}\n${'1\n'.repeat(1000)}` },
      'the rows have more than 1000000 cells with those of the header',
    ],
    [{ operation: 'format', input: [Array(1_000_001).fill(1)] }, 'the rows have more than 1000000 cells'],
    [{ input: ['a', 'b'] }, NO_CSV],
    [{ input: { id: 'f', name: 'data.csv' } }, NO_CSV],
  ])('refuses input %#', async (data, message) => {
    expect((await runNode('csv-node', data)).error).toEqual({ code: 'invalid_csv', message });
  });

  it.each<[string, (pause: () => Promise<void>) => Promise<unknown>]>([
    ['many rows', pause => parseCsv('a,b\n'.repeat(50_000), ',', pause)],
    ['lists', pause => listsToJson(Array(50_000).fill(['a', 'b']), pause)],
    ['equal names', pause => rowsToJson([Array(50_000).fill('a'), ['x']], pause)],
    ['formatted rows', pause => formatCsv(Array(50_000).fill({ a: 1, b: 2 }), ',', true, pause)],
  ])('lets other work proceed during %s', async (_, work) => {
    let pauses = 0;
    await work(async () => void pauses++);
    expect(pauses).toBeGreaterThan(7);
    await expect(work(() => Promise.reject(new Error('late')))).rejects.toThrow('late');
  });

  it('checks its settings before the run', () => {
    expect(issuesOf('csv-node', { delimiter: '""' })).toEqual(['delimiter']);
    expect(issuesOf('csv-node', { operation: 'x' })).toEqual(['operation']);
  });
});

describe('a GraphQL node', () => {
  const data = { url: 'http://o/graphql', query: 'query ($id: Int!) { order(id: $id) { state } }' };

  it('sends the query unchanged, with variables', async () => {
    const variables = { id: '{{ input.id }}' };
    const query = '{ a(x: "{{ input.id }}") }';
    const body = '{"data":{"order":{"state":"SHIPPED"}}}';
    const { content, requests } = await runNode('graphql-node', { ...data, query, variables }, { id: 7 }, { body });
    expect(content).toBe('{"order":{"state":"SHIPPED"}}');
    expect(requests[0]).toMatchObject({ method: 'POST', url: data.url });
    expect(JSON.parse(String(requests[0]?.body))).toEqual({ query, variables: { id: 7 } });
    expect(requests[0]?.headers).toMatchObject({ 'Content-Type': 'application/json', 'Idempotency-Key': 'run-1:n' });
  });

  it.each<[Partial<HttpAnswer>, JsonObject]>([
    [
      { body: '{"data":{"a":1},"errors":[{"message":"no"},{},{"message":"b"},{"message":"c"}]}' },
      { code: 'graphql_errors', message: 'the server reported errors: no; an error without a message; b; and 1 more' },
    ],
    [{ status: 400, body: '{"errors":[{"message":"bad"}]}' }, { code: 'graphql_errors' }],
    [
      { status: 502, body: '<html>' },
      { code: 'http_status', message: 'the server answered with status 502' },
    ],
    [{ body: '[1]' }, { code: 'invalid_response' }],
  ])('fails on %j', async (answer, error) => {
    expect((await runNode('graphql-node', data, {}, answer)).error).toMatchObject(error);
  });

  it('checks its settings before the run', () => {
    expect(issuesOf('graphql-node', { url: 'ftp://o', query: '' })).toEqual(['url', 'query']);
  });
});

describe('an RSS node', () => {
  const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>News &amp; more</title><link>https://n.example</link>
    <description>All</description><image><title>Logo</title><link>https://logo.example</link></image>
    <item><guid>1</guid><title><![CDATA[<b>One</b>]]></title><link>https://n.example/1</link><description>First</description>
    <category>a</category><category>b</category><dc:creator>Ada</dc:creator><pubDate>Thu, 01 Jan 2026 10:00:00 +0100</pubDate></item>
    <item><title>Two</title><pubDate>no date</pubDate></item></channel></rss>`;
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><subtitle>Sub</subtitle><link rel="self" href="https://self.example"/>
    <link href="https://a.example"/><entry><id>urn:1</id><title type="text">E</title><link rel='alternate' href='https://a.example/1?x=1&amp;y=2'/>
    <category term="x"/><author><name>Bob</name></author><content type="xhtml"><div>Long <b>text</b></div></content>
    <published>2026-01-02T00:00:00Z</published><updated>2026-01-03T00:00:00Z</updated></entry></feed>`;

  it('reads RSS', async () => {
    const { content, requests } = await runNode('rss-node', { url: 'http://o/feed' }, {}, { body: rss });
    expect(requests[0]).toMatchObject({ method: 'GET', url: 'http://o/feed' });
    const feed = JSON.parse(content ?? '');
    expect(feed).toMatchObject({ title: 'News & more', link: 'https://n.example', description: 'All' });
    expect(feed.items).toEqual([
      {
        ...{ id: '1', title: '<b>One</b>', link: 'https://n.example/1', summary: 'First', content: '', author: 'Ada' },
        ...{ categories: ['a', 'b'], published_at: '2026-01-01T09:00:00.000Z' },
      },
      expect.objectContaining({ title: 'Two', published_at: null, categories: [] }),
    ]);
    const limited = await runNode('rss-node', { url: 'http://o/', limit: 1 }, {}, { body: rss });
    expect(JSON.parse(limited.content ?? '').items).toHaveLength(1);
  });

  it('reads Atom', async () => {
    const { content } = await runNode('rss-node', { url: 'http://o/' }, {}, { body: atom });
    expect(JSON.parse(content ?? '')).toEqual({
      ...{ title: 'Atom', link: 'https://a.example', description: 'Sub' },
      items: [
        {
          ...{ id: 'urn:1', title: 'E', link: 'https://a.example/1?x=1&y=2', summary: '', content: 'Long text' },
          ...{ author: 'Bob', categories: ['x'], published_at: '2026-01-02T00:00:00.000Z' },
        },
      ],
    });
  });

  const itemOf = async (members: string, more = '') => {
    const body = `<feed>${more}<entry>${members}</entry></feed>`;
    const { content } = await runNode('rss-node', { url: 'http://o/' }, {}, { body });
    return JSON.parse(content ?? '').items[0];
  };

  it.each<[string, JsonObject]>([
    [
      '<author>\n<name>Ann</name>\n<uri>https://a.example</uri><email>ann@a.example</email></author>',
      { author: 'Ann' },
    ],
    [
      '<author><email>ann@a.example</email><name>Ann</name></author><author><name>Bob</name></author>',
      { author: 'Ann' },
    ],
    ['<author>ann@a.example (Ann)</author>', { author: 'ann@a.example (Ann)' }],
    ['<contributor><name>Bob</name></contributor><author><name>Ann</name></author>', { author: 'Ann' }],
    [
      '<updated>2026-01-03T00:00:00Z</updated><published>2026-01-02T00:00:00Z</published>',
      { published_at: '2026-01-02T00:00:00.000Z' },
    ],
    ['<updated>2026-01-03T00:00:00Z</updated>', { published_at: '2026-01-03T00:00:00.000Z' }],
    [
      '<updated>2026-01-03T00:00:00Z</updated><published>soon</published>',
      { published_at: '2026-01-03T00:00:00.000Z' },
    ],
    [
      '<category term="x"></category><category term="y"/><category domain="d">z</category>',
      { categories: ['x', 'y', 'z'] },
    ],
    [
      '<link\n\trel="self"\n\thref="https://self.example"/><link\nhref = "https://a.example"\n/>',
      { link: 'https://a.example' },
    ],
    ['<link title="see href=x" href="https://a.example"/>', { link: 'https://a.example' }],
    ['<link hreflang="en" href="https://a.example"></link>', { link: 'https://a.example' }],
  ])('reads the entry %j', async (members, expected) => {
    expect(await itemOf(members)).toMatchObject(expected);
  });

  it.each([
    ['Sat, 28 Feb 2026 10:00:00 GMT', '2026-02-28T10:00:00.000Z'],
    ['28 February 26 10:00 EST', '2026-02-28T15:00:00.000Z'],
    ['Thu, 1 Jan 2026 10:00:00+01:00', '2026-01-01T09:00:00.000Z'],
    ['2026-01-02T03:04:05.678+01:00', '2026-01-02T02:04:05.678Z'],
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['Mon, 31 Feb 2026 10:00:00 GMT', null],
    ['2026-02-30T00:00:00Z', null],
    ['01/02/2026 10:00', null],
    ['Thu, 01 Foo 2026 10:00:00 GMT', null],
    ['Thu, 01 Jan 2026 10:00:00 XYZ', null],
    ['0001', null],
    ['1', null],
  ])('reads the time %s as %s', async (text, time) => {
    expect((await itemOf(`<published>${text}</published>`)).published_at).toBe(time);
  });

  it('reads no title of the text input and no time of the feed', async () => {
    const more = '<updated>2026-01-01T00:00:00Z</updated><textinput><title>Search</title><link>/s</link></textinput>';
    const { content } = await runNode('rss-node', { url: 'http://o/' }, {}, { body: `<feed>${more}<entry/></feed>` });
    expect(JSON.parse(content ?? '')).toMatchObject({ title: '', link: '' });
    expect(await itemOf('<title>E</title>', more)).toMatchObject({ title: 'E', published_at: null });
  });

  it.each<[Partial<HttpAnswer>, string]>([
    [{ status: 404 }, 'http_status'],
    [{ body: '<html><body>rss</body></html>' }, 'invalid_feed'],
    [{ body: '{"not":"xml"}' }, 'invalid_feed'],
    [{ body: '<?xml version="1.0" encoding="klingon"?><rss/>' }, 'unknown_encoding'],
    [{ body: '<rss/>', headers: { 'content-type': 'application/xml; charset=klingon' } }, 'unknown_encoding'],
  ])('fails on %j', async (answer, code) => {
    expect((await runNode('rss-node', { url: 'http://o/' }, {}, answer)).error).toMatchObject({ code });
  });
});
