import { describe, expect, it, test } from '@jest/globals';
import { compileGraph, GraphError } from '../../src/engine/workflow/graph/graph.js';
import { wellFormedFaults } from '../../src/engine/workflow/graph/well-formed.js';
import { nodeKinds } from '../../src/engine/workflow/nodes/index.js';
import { ifElse, output, template, trigger, workflow } from './samples.js';

const t = trigger('t');
const a = template('a', { template: 'x' });
const b = template('b', { template: 'x' });

function failure(data: unknown): GraphError {
  try {
    compileGraph(data);
  } catch (error) {
    if (error instanceof GraphError) return error;
    throw error;
  }
  throw new Error('the graph is valid');
}

function faultOf(data: unknown) {
  try {
    compileGraph(data);
  } catch (error) {
    if (error instanceof GraphError) return { status: error.status, code: error.code, ...error.place };
    throw error;
  }
  return undefined;
}

it('all faults of a structure are reported, and none that follows from another', () => {
  const nodes = [t, { id: 'odd', type: 'x' }, 5, ifElse('if', { true_node: 'gone', false_node: 'odd' }), a, a];
  const edges = [
    { id: 'e0', source: 't', target: 'odd' },
    { id: 'e1', source: 't', target: 'nowhere' },
    { id: 'e2', source: 'no', target: 'nowhere' },
  ];
  const error = failure({ nodes, edges });
  expect(error.issues.map(({ code, place }) => [code, place.edge_id ?? place.node_id ?? place.path])).toEqual([
    ['unknown_node_type', 'odd'],
    ['malformed', 'nodes.2'],
    ['duplicate_node_id', 'a'],
    ['dangling_edge', 'e1'],
    ['dangling_edge', 'e2'],
    ['dangling_edge', 'e2'],
    ['dangling_next_node', 'if'],
  ]);
  expect(failure({ nodes: Array.from({ length: 500 }, () => 1) }).issues).toHaveLength(100);
});

it('a cycle is reported together with an invalid node, but not if it may follow from a repeated id', () => {
  const codesOf = (...nodes: unknown[]) => {
    const { edges } = workflow([a, b], ['a>b', 'b>a']) as { edges: unknown[] };
    return failure({ nodes, edges }).issues.map(({ code }) => code);
  };
  expect(codesOf(t, { id: 'odd', type: 'x' }, a, b)).toEqual(['unknown_node_type', 'cycle']);
  expect(codesOf(t, a, b, a)).toEqual(['duplicate_node_id']);
});

it('the valid nodes of a faulty graph know the ids of their level', () => {
  const { parts } = failure({ nodes: [t, { id: 'odd', type: 'x' }, a], edges: [] });
  expect(parts.map(({ nodes, knownIds }) => [nodes.map(({ id }) => id), [...knownIds!]])).toEqual([
    [
      ['t', 'a'],
      ['t', 'odd', 'a'],
    ],
  ]);
  expect(failure({ nodes: [{ id: 'odd', type: 'x' }] }).parts).toEqual([]);
});

describe('a structure that cannot run', () => {
  test.each<[string, unknown, object]>([
    ['no object', null, { code: 'malformed' }],
    ['a list', [], { code: 'malformed' }],
    ['no nodes member', {}, { code: 'no_nodes' }],
    ['no nodes', workflow([]), { code: 'no_nodes' }],
    ['nodes that are not a list', { nodes: {} }, { code: 'malformed', path: 'nodes' }],
    ['a node that is not an object', { nodes: [1] }, { code: 'malformed', path: 'nodes.0' }],
    ['a node without an id', { nodes: [{ type: 'trigger-node' }] }, { code: 'malformed' }],
    [
      'data of a node that is not an object',
      { nodes: [{ id: 'a', type: 'trigger-node', data: 5 }] },
      { code: 'malformed', node_id: 'a' },
    ],
    ['edges that are not a list', { ...workflow([t]), edges: 'x' }, { code: 'malformed', path: 'edges' }],
    [
      'an edge without a source',
      { ...workflow([t]), edges: [{ id: 'e', target: 't' }] },
      { code: 'malformed', edge_id: 'e' },
    ],
    ['no start', workflow([a]), { code: 'no_start_node' }],
    ['two triggers and no start', workflow([t, trigger('u')]), { code: 'no_start_node' }],
    ['a start that does not exist', workflow([t], [], { start_node: 'x' }), { code: 'no_start_node' }],
    ['a start that is not a text', workflow([t], [], { start_node: 7 }), { code: 'no_start_node' }],
    ['an unknown type', { nodes: [{ id: 'a', type: 'constructor' }] }, { code: 'unknown_node_type', node_id: 'a' }],
    ['no type', { nodes: [{ id: 'a' }] }, { code: 'unknown_node_type', node_id: 'a' }],
    ['one id twice', workflow([t, a, a]), { code: 'duplicate_node_id', node_id: 'a' }],
    ['an edge to nowhere', workflow([t], ['t>x']), { code: 'dangling_edge', edge_id: 'e0' }],
    ['an edge from nowhere', workflow([t], ['x>t']), { code: 'dangling_edge', edge_id: 'e0' }],
    [
      'a next node that is nowhere',
      workflow([trigger('t', { next_nodes: ['x'] })]),
      { code: 'dangling_next_node', node_id: 't' },
    ],
    [
      'a true_node that is nowhere',
      workflow([t, ifElse('if', { true_node: 'x' })], ['t>if']),
      { code: 'dangling_next_node', path: 'true_node' },
    ],
    [
      'next_nodes that are not a list',
      workflow([trigger('t', { next_nodes: 'a' }), a]),
      { code: 'malformed', path: 'next_nodes' },
    ],
    ['a cycle', workflow([t, a, b], ['t>a', 'a>b', 'b>a']), { code: 'cycle' }],
    ['a cycle out of reach', workflow([t, a, b], ['a>b', 'b>a']), { code: 'cycle' }],
    ['a node that follows itself', workflow([t, a], ['t>a', 'a>a']), { code: 'cycle', node_id: 'a' }],
    ['a cycle through the start', workflow([t, a], ['t>a', 'a>t']), { code: 'cycle' }],
  ])('%s', (_title, data, fault) => {
    expect(faultOf(data)).toMatchObject({ status: 400, ...fault });
  });

  test('names a node that lies on the cycle, not one behind it', () => {
    expect(faultOf(workflow([t, output('o'), a, b], ['t>a', 'a>b', 'b>a', 'b>o']))).toMatchObject({
      node_id: expect.stringMatching(/^[ab]$/),
    });
  });
});

describe('a structure that runs', () => {
  test('starts at the only trigger when no start is named', () => {
    expect(compileGraph(workflow([a, t], ['t>a'])).start.id).toBe('t');
    expect(compileGraph({ nodes: [{ id: 't', type: 'trigger-node' }] }).order).toHaveLength(1);
  });

  test('prefers next nodes to edges, and uses edges where the next nodes are absent', () => {
    const listed = compileGraph(workflow([trigger('t', { next_nodes: ['b'] }), a, b], ['t>a']));
    expect(listed.start.next.map(node => node.id)).toEqual(['b']);
    const mixed = compileGraph(
      workflow(
        [t, ifElse('if', { true_node: 'a', false_node: null }), a, b],
        ['t>if', 'if:condition-true>b', 'if:condition-false>b'],
      ),
    );
    const branches = mixed.byId.get('if')?.branches;
    expect(branches?.get('condition-true')?.map(node => node.id)).toEqual(['a']);
    expect(branches?.get('condition-false')?.map(node => node.id)).toEqual(['b']);
  });

  test('warns of nodes out of reach and of edges that disagree with next nodes', () => {
    const { warnings } = compileGraph(workflow([trigger('t', { next_nodes: ['b'] }), a, b], ['t>a']));
    expect(warnings.map(({ code, node_id, edge_id }) => [code, node_id, edge_id])).toEqual([
      ['edges_disagree', 't', 'e0'],
      ['edges_disagree', 't', null],
      ['out_of_reach', 'a', null],
    ]);
    expect(compileGraph(workflow([trigger('t', { next_nodes: ['a'] }), a])).warnings).toEqual([]);
  });

  test.each([
    ['a chain', (index: number) => [`n${index - 1}`]],
    ['a ladder', (index: number) => [`n${index - 1}`, `n${Math.max(0, index - 2)}`]],
    ['a fan', (index: number) => ['n0', `n${index - 1 - ((index - 1) % 100)}`]],
  ])('compiles %s of 5 MB in linear time', (_title, sources) => {
    const size = 30_000;
    const nodes = [
      trigger('n0'),
      ...Array.from({ length: size }, (_, index) => template(`n${index + 1}`, { template: 'x' })),
    ];
    const data = workflow(
      nodes,
      nodes.slice(1).flatMap((_, index) => [...new Set(sources(index + 1))].map(source => `${source}>n${index + 1}`)),
    );
    const text = JSON.stringify(data);
    expect(text.length).toBeGreaterThan(5_000_000);
    const parsed: unknown = JSON.parse(text);
    // In quadratic time it would take minutes, so the time limit of the test suffices.
    expect(compileGraph(parsed).order).toHaveLength(size + 1);
  });
});

describe('saving a draft', () => {
  test.each<[unknown, string[]]>([
    [{ nodes: [], edges: [] }, []],
    [{}, []],
    [workflow([t, a], ['t>a']), []],
    [workflow([a, a], ['a>nowhere']), []],
    [{ nodes: [{ id: 'x', type: 'no-such-node' }] }, []],
    ['x', ['must be an object']],
    [{ nodes: 'x' }, ['nodes must be a list']],
    [{ nodes: [1], edges: [[]] }, ['nodes.0 must be an object', 'edges.0 must be an object']],
    [{ nodes: [{ id: 5, data: 'x' }] }, ['nodes.0.id must be a text', 'nodes.0.data must be an object']],
    [
      { viewport: { x: 'left', y: 0, zoom: 1 }, start_node: 1 },
      ['viewport must have the numbers x, y and zoom', 'start_node must be a text'],
    ],
  ])('%j is reported as %j', (data, faults) => {
    expect(wellFormedFaults(data)).toEqual(faults);
  });

  test('refuses data that is nested too deep', () => {
    let deep: unknown = {};
    for (let depth = 0; depth < 10_000; depth++) deep = { deep };
    expect(wellFormedFaults({ deep })).toEqual(['must be nested at most 64 deep']);
  });
});

test('every kind has a type, an executor class and a description of its own', () => {
  for (const member of ['type', 'nodeType', 'title', 'description'] as const) {
    expect(new Set(nodeKinds.map(kind => kind[member])).size).toBe(nodeKinds.length);
  }
});
