import { expect, it } from '@jest/globals';
import { inputFieldFaults } from '../../../src/engine/workflow/graph/input-field-faults.js';
import { referencesOf } from '../../../src/engine/workflow/graph/references.js';
import { gapsOf } from '../../../src/engine/workflow/graph/secrets/credentials.js';
import { savedGraphWarnings, unknownGraphMembers } from '../../../src/engine/workflow/graph/unknown-members.js';
import { diffGraphs } from '../../../src/engine/workflow/history/graph-diff.js';
import { toGraph } from '../../../src/modules/workflows/graph/workflow-graph.js';

/** JSON whose conversion by `String` throws. */
const HOSTILE = { toString: null, valueOf: 1 };
const secret = { id: HOSTILE, title: HOSTILE, type: 'text', is_secret: true, default_value: HOSTILE };
const nodes = [
  {
    id: HOSTILE,
    type: 'trigger-node',
    data: { label: HOSTILE, input_fields: [secret, { ...secret, default_value: '' }] },
  },
  { id: HOSTILE, type: 'subworkflow-node', data: { workflow_id: 1, input: { token: '{{ input.token }}' } } },
  { id: HOSTILE, type: 'code-node', data: { code: 'return input', label: HOSTILE } },
];
const edges = [{ id: HOSTILE, source: HOSTILE, target: HOSTILE, sourceHandle: HOSTILE }];
const body = { nodes, edges, start_node: HOSTILE };
const graph = { ...body, nodes: [...nodes, { id: HOSTILE, type: 'loop-node', data: { items: '[1]', body } }] };

it.each<[string, () => unknown]>([
  ['unknown members', () => unknownGraphMembers(graph)],
  ['warnings', () => savedGraphWarnings(graph)],
  ['references', () => referencesOf(graph)],
  ['gaps', () => gapsOf(graph)],
  ['faults of input fields', () => inputFieldFaults(graph)],
  ['differences', () => diffGraphs(graph, { nodes: [] })],
  ['the typed graph', () => toGraph(graph)],
])('reads %s of a graph with ids that String cannot convert', (_name, read) => {
  expect(read).not.toThrow();
});
