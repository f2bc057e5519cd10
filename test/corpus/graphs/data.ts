import { type Json, node, template } from '../../support/graphs.js';
import { failing, type GraphCase, sequence } from '../graph-case.js';

/** The limit is long because saving files counts too, and all graphs run at once on a busy machine. */
const code = (source: string, more: Json = {}) => node('code-node', { code: source, timeout_seconds: 60, ...more });
const csv = (data: Json) => node('csv-node', data);
const html = (text: string, ...fields: Json[]) => node('html-extract-node', { html: text, fields });
const store = (data: Json) => node('key-value-node', data);
const file = (data: Json) => node('file-node', data);
const PAGE = '<h1>Shop</h1><ul><li class="on"><a href="/a">A</a></li><li><a href="/b">B  b</a></li></ul>';

export const DATA: GraphCase[] = [
  sequence('csv: rows with names', [csv({ input: 'a,b\n1,2' })], [{ a: '1', b: '2' }]),
  sequence(
    'csv: rows without names',
    [csv({ input: 'a,b\n1,2', has_header: false })],
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ),
  sequence('csv: another delimiter', [csv({ input: 'a;b\n1;2', delimiter: ';' })], [{ a: '1', b: '2' }]),
  sequence('csv: quoted cells', [csv({ input: 'a\n"x,\n""y"""' })], [{ a: 'x,\n"y"' }]),
  sequence('csv: format objects', [csv({ operation: 'format', input: [{ a: 1, b: 'x,y' }] })], 'a,b\r\n1,"x,y"\r\n'),
  sequence(
    'csv: there and back',
    [csv({ operation: 'format', input: [{ a: 'ü' }] }), csv({ input: '{{ previous.content }}' })],
    [{ a: 'ü' }],
  ),
  failing('csv: an unclosed quote', [csv({ input: 'a\n"x' })], 'invalid_csv'),
  sequence('html: a text', [html(PAGE, { name: 'title', selector: 'h1' })], { title: 'Shop' }),
  sequence('html: all matches', [html(PAGE, { name: 'items', selector: 'li', all: true })], { items: ['A', 'B b'] }),
  sequence('html: an attribute', [html(PAGE, { name: 'link', selector: 'li.on a', value: 'attribute' })], {
    link: '/a',
  }),
  sequence('html: a child', [html(PAGE, { name: 'last', selector: 'ul > li:last-child a', value: 'html' })], {
    last: 'B  b',
  }),
  sequence('html: no match', [html(PAGE, { name: 'none', selector: 'table' })], { none: null }),
  failing('html: an unknown selector', [html(PAGE, { name: 'x', selector: '{{ "a" }}:hover' })], 'invalid_selector'),
  sequence('code: a number', [code('return 1 + 2')], 3),
  sequence('code: the input', [code('return input.a.toUpperCase()')], 'X', { a: 'x' }),
  sequence(
    'code: an earlier content',
    [template('{"a": [1, 2]}'), code('return Object.values(nodes)[1].json.a')],
    [1, 2],
  ),
  sequence('code: await', [code('return await Promise.resolve("done")')], 'done'),
  sequence('code: TypeScript', [code('const x: number = 4; return x as number', { language: 'typescript' })], 4),
  sequence(
    'code: URL and text encoding',
    [code('return new URL("/b?c=1", "https://a.example/").searchParams.get("c")')],
    '1',
  ),
  sequence(
    'code: a hash',
    [
      code(
        'const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("a")); return new Uint8Array(hash)[0]',
      ),
    ],
    202,
  ),
  sequence(
    'code: a clone',
    [code('const a = {x: [1]}; const b = structuredClone(a); b.x.push(2); return [a, b]')],
    [{ x: [1] }, { x: [1, 2] }],
  ),
  sequence('code: nothing', [code('console.log("kept")')], ''),
  failing('code: an exception', [code('throw new Error("no")')], 'code_error'),
  failing('code: a value without JSON', [code('return () => 1')], 'code_result'),
  sequence(
    'file: write and read',
    [file({ operation: 'write', content: 'grün' }), file({ file: '{{ previous.content }}' })],
    'grün',
  ),
  sequence(
    'file: write JSON',
    [file({ operation: 'write', content: { a: 1 } }), file({ file: '{{ previous.content }}' })],
    { a: 1 },
  ),
  sequence(
    'file: base64',
    [
      file({ operation: 'write', content: 'AP8=', encoding: 'base64' }),
      file({ file: '{{ previous.content }}', encoding: 'base64' }),
    ],
    'AP8=',
  ),
  sequence(
    'file: its members',
    [
      file({ operation: 'write', file_name: 'a/b.txt', content: 'abc' }),
      template('{{ previous.json.name }} {{ previous.json.size }}'),
    ],
    'b.txt 3',
  ),
  sequence(
    'file: read by a script',
    [
      file({ operation: 'write', content: 'abc' }),
      code('return files[0].text() + files[0].bytes.length', { files: ['{{ previous.content }}'] }),
    ],
    'abc3',
  ),
  sequence(
    'file: saved by a script',
    [
      code('return saveFile("a.bin", new Uint8Array([1, 2]))'),
      file({ file: '{{ previous.content }}', encoding: 'base64' }),
    ],
    'AQI=',
  ),
  sequence(
    'key-value: counted twice',
    [
      store({ operation: 'increment', key: 'corpus-{{ run.id }}', by: 2 }),
      store({ operation: 'increment', key: 'corpus-{{ run.id }}' }),
      template('{{ previous.json.value }}'),
    ],
    '3',
  ),
  sequence(
    'key-value: the first writer wins',
    [
      store({ operation: 'compare_and_set', key: 'corpus-{{ run.id }}', value: { a: 1 }, ttl_seconds: 60 }),
      store({ operation: 'compare_and_set', key: 'corpus-{{ run.id }}', value: 2 }),
      template('{{ previous.json.applied }} {{ previous.json.value }}'),
    ],
    'false {"a":1}',
  ),
  sequence(
    'key-value: set, list and delete',
    [
      store({ operation: 'set', key: 'corpus-{{ run.id }}-a', value: 'x' }),
      store({ operation: 'list', prefix: 'corpus-{{ run.id }}' }),
      template('{{ previous.json.entries[0].value }} {{ previous.json.truncated }}'),
    ],
    'x false',
  ),
  failing(
    'key-value: a text is not a number',
    [
      store({ operation: 'set', key: 'corpus-{{ run.id }}-text', value: 'x' }),
      store({ operation: 'increment', key: 'corpus-{{ run.id }}-text' }),
    ],
    'not_a_number',
  ),
  failing(
    'file: binary as text',
    [file({ operation: 'write', content: '/w==', encoding: 'base64' }), file({ file: '{{ previous.content }}' })],
    'not_text',
  ),
  failing('file: an unknown id', [file({ file: '01a1fccb-0000-7000-8000-000000000000' })], 'file_not_found'),
  failing(
    'file: too large',
    [file({ operation: 'write', content: 'abc' }), file({ file: '{{ previous.content }}', max_bytes: 2 })],
    'file_too_large',
  ),
];
