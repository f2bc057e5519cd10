import { http as httpNode, type Json, node, template } from '../../support/graphs.js';
import { failing, type GraphCase, named, sequence, wired } from '../graph-case.js';

const echo = (message: string, more: Json = {}) =>
  node('basic-node', { messages: [{ role: 'user', message }], settings: { model_name: 'echo' }, ...more });

/** Graphs that call models, servers and themselves. `site` is the address of a server that answers with what it got. */
export function calls(site: string): GraphCase[] {
  const http = (path: string, more: Json = {}) => httpNode(`${site}${path}`, more);
  const failure = { on_error: 'continue' };
  const retry = (attempts: number) => ({ on_error: 'retry', retry: { attempts, delay_seconds: 0 } });
  return [
    sequence('model: an answer', [echo('Hello {{ input.name }}')], 'Hello Ada', { name: 'Ada' }),
    sequence('model: two answers', [echo('a'), echo('{{ previous.content }}b')], 'ab'),
    sequence('model: JSON of an answer', [echo('{"total": 3}'), template('{{ previous.json.total }}')], 3),
    sequence('model: a fallback that is not needed', [echo('x', { fallback_models: ['echo'] })], 'x'),
    sequence(
      'embedding: vectors of two texts',
      [
        node('embedding-node', { input: ['red apples', 'x'], settings: { model_name: 'echo' }, dimensions: 8 }),
        template('{{ length(previous.json.embeddings) }} {{ previous.json.dimensions }} {{ previous.json.model }}'),
      ],
      '2 8 echo',
    ),
    sequence(
      'image: a file of the type image/png',
      [
        node('image-node', { prompt: 'A cat', settings: { model_name: 'echo' }, file_name: 'cat.png' }),
        template('{{ previous.json.name }} {{ previous.json.content_type }}'),
      ],
      'cat.png image/png',
    ),
    sequence(
      'speech: a text as audio and back',
      [
        node('speech-node', { text: 'Hello {{ input.name }}.', settings: { model_name: 'echo' }, format: 'wav' }),
        node('transcription-node', { file: '{{ previous.content }}', settings: { model_name: 'echo' } }),
      ],
      'Hello Ada.',
      { name: 'Ada' },
    ),
    sequence(
      'transcription: segments',
      [
        node('speech-node', { text: 'One.', settings: { model_name: 'echo' }, format: 'wav' }),
        node('transcription-node', {
          file: '{{ previous.content }}',
          settings: { model_name: 'echo' },
          result: 'segments',
        }),
        template('{{ length(previous.json.segments) }} {{ previous.json.segments.0.text }}'),
      ],
      '1 One.',
    ),
    failing(
      'transcription: a text file',
      [
        node('file-node', { operation: 'write', content: 'text' }),
        node('transcription-node', { file: '{{ previous.content }}', settings: { model_name: 'echo' } }),
      ],
      'unsupported_file',
    ),
    sequence('http: GET', [http('/echo'), template('{{ previous.json.method }}')], 'GET'),
    sequence(
      'http: a JSON body',
      [http('/echo', { method: 'POST', body: { a: '{{ input.a }}' } }), template('{{ previous.json.body }}')],
      { a: 'x' },
      { a: 'x' },
    ),
    sequence(
      'http: a text body',
      [http('/echo', { method: 'PUT', body: 'plain' }), template('{{ previous.json.body }}')],
      'plain',
    ),
    sequence(
      'http: query parameters',
      [http('/echo', { params: { q: 'a b', n: [1, 2] } }), template('{{ previous.json.path }}')],
      '/echo?q=a+b&n=1&n=2',
    ),
    sequence(
      'http: a header',
      [http('/echo', { headers: { 'x-custom': 7 } }), template('{{ previous.json.custom }}')],
      '7',
    ),
    sequence('http: a redirect', [http('/redirect'), template('{{ previous.json.path }}')], '/echo'),
    sequence(
      'http: a binary response',
      [http('/binary'), template('{{ previous.json.size }} {{ previous.json.name }}')],
      '4 data.bin',
    ),
    sequence(
      'http: a file as body',
      [
        http('/binary'),
        http('/echo', { method: 'POST', body_file: '{{ previous.content }}' }),
        template('{{ previous.json.bytes }}'),
      ],
      4,
    ),
    sequence(
      'http: a multipart form',
      [
        http('/echo', { method: 'POST', form: [{ name: 'a', value: 'x' }] }),
        template('{{ starts_with(previous.json.type, "multipart/form-data") }}'),
      ],
      true,
    ),
    sequence('http: an error status as content', [http('/missing', { fail_on_error_status: false })], 'missing'),
    failing('http: an error status', [http('/missing')], 'http_status'),
    failing('http: too large', [http('/echo', { max_response_bytes: 3 })], 'response_too_large'),
    failing('http: a refused address', [httpNode('http://10.0.0.1/')], 'address_refused'),
    failing('http: two bodies', [http('/echo', { method: 'POST', body: 'x', form: [] })], 'invalid_body'),
    sequence('graphql: data', [node('graphql-node', { url: `${site}/graphql`, query: '{ a }', variables: { x: 1 } })], {
      a: 1,
    }),
    failing('graphql: errors', [node('graphql-node', { url: `${site}/graphql`, query: 'broken' })], 'graphql_errors'),
    sequence(
      'rss: items',
      [node('rss-node', { url: `${site}/feed`, limit: 1 }), template('{{ previous.json.items.0.title }}')],
      'First',
    ),
    failing('rss: no feed', [node('rss-node', { url: `${site}/echo` })], 'invalid_feed'),
    sequence('error: continue', [http('/missing', failure), template('after [{{ previous.content }}]')], 'after []'),
    sequence('error: a default value', [http('/missing', { on_error: 'default', default_value: { a: 1 } })], { a: 1 }),
    sequence('error: retry', [http('/third-time', retry(3)), template('{{ previous.content }}')], 'third'),
    sequence(
      'error: retry with exponential backoff and jitter',
      // The delays are 0.5, 1 and 2 seconds, shortened by up to half.
      [
        http('/fourth-time', {
          on_error: 'retry',
          retry: { attempts: 4, delay_seconds: 0.5, backoff: 'exponential', jitter: true },
        }),
        template('{{ [previous.json.0 >= 250, previous.json.1 >= 500, previous.json.2 >= 1000] }}'),
      ],
      [true, true, true],
    ),
    failing('error: retry without success', [http('/missing', retry(2))], 'http_status'),
    failing(
      'error: a code that is not retried',
      [http('/missing', { on_error: 'retry', retry: { attempts: 3, delay_seconds: 0, error_codes: ['timeout'] } })],
      'http_status',
    ),
    {
      name: 'error: a branch',
      data: wired(
        [
          named('call', 'http-node', { url: `${site}/missing`, on_error: 'branch' }),
          named('ok', 'output-node', { value: 'ok' }),
          named('bad', 'output-node', { value: '{{ nodes.call.error.code }} {{ nodes.call.error.status }}' }),
        ],
        ['t>call', 'call>ok', 'call:error>bad'],
      ),
      output: 'http_status 404',
    },
    {
      name: 'error: a branch that is not followed',
      data: wired(
        [
          named('call', 'http-node', { url: `${site}/echo`, on_error: 'branch' }),
          named('ok', 'output-node', { value: 'ok' }),
          named('bad', 'output-node', { value: 'bad' }),
        ],
        ['t>call', 'call>ok', 'call:error>bad'],
      ),
      output: 'ok',
    },
    failing('error: a timeout', [http('/slow', { timeout_seconds: 0.2 })], 'timeout'),
    failing(
      'model: an unsupported file',
      [
        node('file-node', { operation: 'write', content: 'text' }),
        node('basic-node', {
          messages: [{ role: 'user', message: 'x', files: ['{{ previous.content }}'] }],
          settings: { model_name: 'echo' },
        }),
      ],
      'unsupported_file',
    ),
    sequence(
      'loop: calls in parallel',
      [
        node('loop-node', {
          items: [1, 2, 3],
          concurrency: 3,
          body: {
            nodes: [
              named('get', 'http-node', { url: `${site}/echo?n={{ item }}`, next_nodes: ['one'] }),
              named('one', 'output-node', { value: '{{ previous.json.path }}' }),
            ],
            start_node: 'get',
          },
        }),
      ],
      ['/echo?n=1', '/echo?n=2', '/echo?n=3'],
    ),
    sequence(
      'loop: skip failed iterations',
      [
        node('loop-node', {
          items: ['echo', 'missing'],
          on_item_error: 'skip',
          body: {
            nodes: [
              named('get', 'http-node', { url: `${site}/{{ item }}`, next_nodes: ['one'] }),
              named('one', 'output-node', { value: '{{ item }}' }),
            ],
            start_node: 'get',
          },
        }),
      ],
      ['echo'],
    ),
    sequence(
      'loop: collect the errors of failed iterations',
      [
        node('loop-node', {
          items: ['missing', 'echo'],
          on_item_error: 'collect',
          body: {
            nodes: [
              named('get', 'http-node', { url: `${site}/{{ item }}`, next_nodes: ['one'] }),
              named('one', 'output-node', { value: '{{ item }}' }),
            ],
            start_node: 'get',
          },
        }),
        template('{{ previous.json.0.index }} {{ previous.json.0.error.code }} {{ previous.json.1 }}'),
      ],
      '0 http_status echo',
    ),
  ];
}
