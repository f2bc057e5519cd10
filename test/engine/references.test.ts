import { describe, expect, it } from '@jest/globals';
import { isObject, type JsonObject } from '../../src/engine/json-value.js';
import { referencesOf, withoutReferences } from '../../src/engine/workflow/graph/references.js';
import { FILL_IN } from '../../src/engine/workflow/graph/secrets/credentials.js';
import { checkWorkflow } from '../../src/engine/workflow/graph/validate.js';
import { nodeKinds } from '../../src/engine/workflow/nodes/index.js';
import { titledSchema } from '../../src/engine/workflow/nodes/titled-schema.js';
import { chain, graph, http, node, output, trigger } from '../support/graphs.js';

const agentWith = (...tools: unknown[]) =>
  node('agent-node', { messages: [{ role: 'user', message: 'a' }], settings: { model_name: 'echo' }, tools }, 'n');

/** The paths that validation names after a graph of this node was cleared. */
function refusedPaths(each: ReturnType<typeof node>): string[] {
  const data = withoutReferences(chain(trigger(), each, output('x')) as never);
  const { issues } = checkWorkflow(data, { servesModel: () => true });
  const ofNode = issues.filter(({ severity, node_id }) => severity === 'error' && node_id === 'n');
  return [...new Set(ofNode.map(({ path }) => path!))];
}

describe('a graph for another project', () => {
  it.each([
    ['a sub-workflow', node('subworkflow-node', { workflow_id: 3 }, 'n'), ['workflow_id']],
    ['a sub-workflow by input', node('subworkflow-node', { workflow_id: '{{ input.w }}' }, 'n'), ['workflow_id']],
    ['a loop over a workflow', node('loop-node', { items: [1], workflow_id: 3 }, 'n'), ['workflow_id']],
    ['a scenario', node('scenario-node', { scenario_id: 3 }, 'n'), ['scenario_id']],
    ['a search by ids', node('search-node', { query: 'q', document_ids: [1] }, 'n'), ['document_ids']],
    ['a search over all', node('search-node', { query: 'q' }, 'n'), ['document_ids']],
    ['a search over null', node('search-node', { query: 'q', document_ids: null }, 'n'), ['document_ids']],
    ['a search by input', node('search-node', { query: 'q', document_ids: '{{ input.d }}' }, 'n'), ['document_ids']],
    ['a key', node('key-value-node', { key: 'orders' }, 'n'), ['key']],
    ['a list of all keys', node('key-value-node', { operation: 'list' }, 'n'), ['prefix']],
    ['an operation by input', node('key-value-node', { operation: '{{ input.o }}', key: 'a' }, 'n'), ['key', 'prefix']],
    ['a wait for an event', node('wait-node', { event: 'paid' }, 'n'), ['event']],
    ['an event that is sent', node('send-event-node', { event: '{{ input.e }}' }, 'n'), ['event']],
    ['a project variable in a text', node('http-node', { url: 'https://{{ env.HOST }}/a' }, 'n'), ['url']],
    [
      'project variables at any depth and in any expression',
      node(
        'http-node',
        {
          url: 'https://e.com/',
          method: '{{ env.METHOD }}',
          headers: { 'X-Note': '{{ env.KEY | upper }}', Accept: '{{ input.a }}' },
          body: { list: [{ deep: 'a {{ [input.a, {k: env.KEY ?? "b"}] | join }} b' }] },
        },
        'n',
      ),
      ['method', 'headers.X-Note', 'body.list.0.deep'],
    ],
    [
      'project variables with braces in quotes',
      node('template-node', { template: '{{ env.KEY | default:"{{" }} and {{ env.KEY | default:"}}" }}' }, 'n'),
      ['template'],
    ],
    ['a database', node('database-node', { connection: '{{ env.DB }}', query: 'select 1' }, 'n'), ['connection']],
    [
      'tools of an agent',
      agentWith({ kind: 'workflow', workflow_id: 1 }, { kind: 'search' }, { kind: 'search', document_ids: [7] }),
      ['tools.0.workflow_id', 'tools.1.document_ids', 'tools.2.document_ids'],
    ],
  ])('names the values to set in %s', (_name, each, paths) => {
    expect(refusedPaths(each)).toEqual(paths);
  });

  it('is cleared in bodies of loops inside bodies of loops', () => {
    const inner = graph([trigger(), node('search-node', { query: 'q' }, 'n')]);
    const middle = graph([trigger(), node('loop-node', { items: [1], body: inner })]);
    const cleared = withoutReferences(chain(trigger(), node('loop-node', { items: [1], body: middle })) as never);
    expect(JSON.stringify(cleared).match(/"document_ids":"<fill in>"/g)).toHaveLength(1);
    const loop = node('loop-node', { items: [1], body: middle });
    expect(referencesOf(chain(trigger(), loop) as never)).toEqual([
      { nodeId: 'n', kind: 'document', path: 'document_ids', value: undefined },
    ]);
  });

  it('is unchanged where a node refers to nothing of the project, and keeps similar members', () => {
    const call = http('https://example.com/', { method: 'POST', body: { workflow_id: 3, document_ids: [1] } });
    const data = chain(trigger(), call, node('loop-node', { items: [1], body: graph([trigger()]) }), output('x'));
    expect(withoutReferences(data as never)).toEqual(data);
  });

  it('keeps the texts around project variables, and scripts and notes that contain no placeholders', () => {
    const data = chain(
      trigger(),
      http('https://e.com/', { headers: { 'X-Note': 'a {{ env.A | upper }} b {{ input.b }} {{{ env.C }}}' } }),
      node('code-node', { code: 'return "{{ env.A }}"' }),
    );
    data.nodes.push(node('note-node', { text: '{{ env.A }}' }));
    const expected = JSON.stringify(data)
      .replace('{{ env.A | upper }}', '{{ <fill in> env.A | upper }}')
      .replace('{{ env.C }}', '{{ <fill in> env.C }}');
    expect(JSON.stringify(withoutReferences(data as never))).toBe(expected);
  });

  it('reports for a cleared member why it is refused', () => {
    const data = withoutReferences(chain(trigger(), node('search-node', { query: 'q' }, 'n'), output('x')) as never);
    const { status, issues } = checkWorkflow(data, { servesModel: () => true });
    expect(status).toBe(422);
    expect(issues[0]).toMatchObject({ node_id: 'n', path: 'document_ids' });
    expect(issues[0]!.message).toContain('removed when the workflow was copied');
    expect(JSON.stringify(data)).toContain(FILL_IN);
  });

  it('reports for a cleared placeholder why it is refused', () => {
    const call = node('http-node', { url: '{{ env.URL }}' }, 'n');
    const { status, issues } = checkWorkflow(withoutReferences(chain(trigger(), call, output('x')) as never), {
      servesModel: () => true,
    });
    expect(status).toBe(422);
    expect(issues[0]).toMatchObject({ node_id: 'n', path: 'url' });
    expect(issues[0]!.message).toContain('removed when the workflow was copied');
  });

  it('covers every kind of node with effects, except those that refer to nothing of the project', () => {
    const silent = nodeKinds.filter(kind => kind.effects !== 'none' && !kind.references).map(({ type }) => type);
    expect(silent.toSorted()).toEqual(['code-node', 'delay-node', 'file-node']);
  });
});

interface TextMember {
  path: string;
  description: string;
  /** Returns the settings with a value of the member. */
  settingsWith: (value: unknown) => unknown;
}

/** Returns the members of a schema that are texts, except placeholders for other values. */
function textMembers(schema: unknown, at: TextMember): TextMember[] {
  if (!isObject(schema)) return [];
  const own = String(schema.description ?? '');
  const description = `${at.description} ${own}`;
  const inside = (inner: unknown, name: string, wrap: (value: unknown) => unknown) =>
    textMembers(inner, {
      path: at.path === '' ? name : `${at.path}.${name}`,
      description,
      settingsWith: value => at.settingsWith(wrap(value)),
    });
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const constants = properties.flatMap(([name, inner]) =>
    isObject(inner) && 'const' in inner ? [[name, inner.const] as const] : [],
  );
  const branches = [schema.anyOf, schema.oneOf].flatMap(list => (Array.isArray(list) ? list : []));
  return [
    ...([schema.type].flat().includes('string') && !own.includes('A single placeholder')
      ? [{ ...at, description }]
      : []),
    ...properties.flatMap(([name, inner]) =>
      inside(inner, name, value => ({ ...Object.fromEntries(constants), [name]: value })),
    ),
    ...inside(schema.items, '*', value => [value]),
    ...branches.flatMap(branch => textMembers(branch, { ...at, description })),
  ];
}

describe('the hosts of nodes', () => {
  const ADDRESS = 'https://api.example.com/';
  const root: TextMember = { path: '', description: '', settingsWith: value => value };
  const addresses = nodeKinds.flatMap(kind =>
    textMembers(titledSchema(kind), root)
      .filter(
        ({ path, description }) =>
          /\bURLs?\b|:\/\//.test(description) ||
          /(^|[._])(url|uri|host|endpoint|server|issuer|address|connection)$/.test(path),
      )
      .map(member => ({ kind, ...member })),
  );

  it('are in the references of every kind with an address', () => {
    const undeclared = addresses.filter(({ kind, settingsWith }) => {
      const references = kind.references?.(settingsWith(ADDRESS) as JsonObject) ?? [];
      return !references.some(reference => reference.kind === 'host' && reference.value === ADDRESS);
    });
    expect(undeclared.map(({ kind, path }) => `${kind.type} ${path}`)).toEqual([]);
  });

  it('are in these members', () => {
    expect([...new Set(addresses.map(({ kind, path }) => `${kind.type} ${path}`))].toSorted()).toEqual([
      'agent-node messages.*.images.*',
      'agent-node tools.*.auth.issuer',
      'agent-node tools.*.endpoint_url',
      'agent-node tools.*.request.url',
      'basic-node messages.*.images.*',
      'database-node connection',
      'email-node connection',
      'graphql-node url',
      'http-node url',
      'mcp-node auth.issuer',
      'mcp-node endpoint_url',
      'rss-node url',
    ]);
  });
});
