import { describe, expect, it } from '@jest/globals';
import { FILL_IN, gapsOf, withoutCredentials } from '../../src/engine/workflow/graph/secrets/credentials.js';

const graph = (type: string, data: Record<string, unknown>) => ({ nodes: [{ id: 'n', type, data }], edges: [] });
const cleared = (data: Record<string, unknown>) => withoutCredentials(graph('http-node', data), FILL_IN, '');
const dataOf = (copy: { data: Record<string, unknown> }) => (copy.data.nodes as { data: unknown }[])[0]!.data;

describe('credentials in a graph', () => {
  it.each([
    [
      { headers: { Authorization: 'Bearer abc123' } },
      { headers: { Authorization: FILL_IN } },
      ['Bearer abc123', 'abc123'],
    ],
    [{ headers: { 'X-Api-Key': 'abc123' } }, { headers: { 'X-Api-Key': FILL_IN } }, ['abc123']],
    [{ headers: { Cookie: 'sid=1' } }, { headers: { Cookie: FILL_IN } }, ['sid=1']],
    [{ params: { key: 'abc123', q: 'cats' } }, { params: { key: FILL_IN, q: 'cats' } }, ['abc123']],
    [{ body: { client_secret: 'abc', a: [1] } }, { body: { client_secret: FILL_IN, a: [1] } }, ['abc']],
    [{ url: 'https://u:p@e.com/a' }, { url: `https://${FILL_IN}@e.com/a` }, ['u:p', 'p']],
    [{ url: 'https://e.com/?api_key=abc&q=1' }, { url: `https://e.com/?api_key=${FILL_IN}&q=1` }, ['abc']],
    [{ code: 'f("sk-abcdefghijklmnopqrst")' }, { code: `f("${FILL_IN}")` }, ['sk-abcdefghijklmnopqrst']],
    [{ tools: [{ headers: { token: 'abc' } }] }, { tools: [{ headers: { token: FILL_IN } }] }, ['abc']],
  ])('%j is cleared', (data, expected, credentials) => {
    const copy = cleared(data);
    expect(dataOf(copy)).toEqual(expected);
    expect(copy.credentials).toEqual(credentials);
  });

  it.each([
    { headers: { Authorization: 'Bearer {{ input.token }}', Accept: 'text/html' } },
    { url: 'https://e.com/?api_key={{ input.key }}&q=1#token' },
    { settings: { model_name: 'echo', max_tokens: 10 }, messages: [{ role: 'user', message: 'What is a token?' }] },
    { cases: [{ equals: 'password', next_nodes: [] }] },
  ])('%j stays', data => {
    expect(cleared(data)).toEqual({ data: graph('http-node', data), credentials: [] });
  });

  it('include the mask of a stored credential', () => {
    expect(cleared({ headers: { Authorization: '********' } })).toEqual({
      data: graph('http-node', { headers: { Authorization: FILL_IN } }),
      credentials: [],
    });
  });
});

describe('gaps of a graph', () => {
  it('are the values that were cleared in a copy, in nested nodes too', () => {
    const inner = graph('http-node', { headers: { Authorization: 'abc' }, url: 'https://e.com/?token=x' });
    const fields = [
      { id: 'key', is_secret: true, default_value: '********' },
      { id: 'topic', is_secret: false, default_value: '' },
    ];
    const data = {
      nodes: [
        { id: 'start', type: 'trigger-node', data: { input_fields: fields } },
        { id: 'loop', type: 'loop-node', data: { body: inner } },
      ],
    };
    const copy = withoutCredentials(data, FILL_IN, '');
    expect(gapsOf(copy.data)).toEqual([
      { nodeId: 'start', path: 'key', kind: 'secret', refersTo: null },
      { nodeId: 'n', path: 'headers.Authorization', kind: 'credential', refersTo: null },
      { nodeId: 'n', path: 'url', kind: 'credential', refersTo: null },
    ]);
  });

  it('are the removed placeholders with project variables', () => {
    const url = 'https://<fill in>@{{ <fill in> env.HOST | lower }}/{{ env.KEPT }}/{{ <fill in> }}';
    expect(gapsOf(graph('http-node', { url }))).toEqual([
      { nodeId: 'n', path: 'url', kind: 'variable', refersTo: null, variable: 'HOST' },
      { nodeId: 'n', path: 'url', kind: 'variable', refersTo: null },
      { nodeId: 'n', path: 'url', kind: 'credential', refersTo: null },
    ]);
  });

  it('may be references, which the caller looks up', () => {
    expect(gapsOf(graph('search-node', { document_ids: [7, 8], limit: 5 }))).toEqual([
      { nodeId: 'n', path: 'document_ids.0', kind: 'document', refersTo: 7 },
      { nodeId: 'n', path: 'document_ids.1', kind: 'document', refersTo: 8 },
    ]);
    expect(gapsOf(graph('agent-node', { tools: [{ kind: 'workflow', workflow_id: 3 }] }))).toEqual([
      { nodeId: 'n', path: 'tools.0.workflow_id', kind: 'workflow', refersTo: 3 },
    ]);
    expect(gapsOf(graph('http-node', { body: { constructor: 3, valueOf: FILL_IN } }))).toEqual([
      { nodeId: 'n', path: 'body.valueOf', kind: 'credential', refersTo: null },
    ]);
  });
});
