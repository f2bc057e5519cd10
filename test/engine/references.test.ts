import { describe, expect, it } from '@jest/globals';
import { referencesOf, withoutReferences } from '../../src/engine/workflow/graph/references.js';
import { FILL_IN } from '../../src/engine/workflow/graph/secrets/credentials.js';
import { checkWorkflow } from '../../src/engine/workflow/graph/validate.js';
import { nodeKinds } from '../../src/engine/workflow/nodes/index.js';
import { chain, graph, http, node, output, trigger } from '../support/graphs.js';

const agentWith = (...tools: unknown[]) =>
  node('agent-node', { messages: [{ role: 'user', message: 'a' }], settings: { model_name: 'echo' }, tools }, 'n');

/** The paths that validation names after a graph of this node was cleared. */
function refusedPaths(each: ReturnType<typeof node>): string[] {
  const data = withoutReferences(chain(trigger(), each, output('x')) as never);
  const { issues } = checkWorkflow(data, { servesModel: () => true });
  return issues.filter(({ severity, node_id }) => severity === 'error' && node_id === 'n').map(({ path }) => path!);
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

  it('reports for a cleared member why it is refused', () => {
    const data = withoutReferences(chain(trigger(), node('search-node', { query: 'q' }, 'n'), output('x')) as never);
    const { status, issues } = checkWorkflow(data, { servesModel: () => true });
    expect(status).toBe(422);
    expect(issues[0]).toMatchObject({ node_id: 'n', path: 'document_ids' });
    expect(issues[0]!.message).toContain('removed when the workflow was copied');
    expect(JSON.stringify(data)).toContain(FILL_IN);
  });

  it('covers every kind of node with effects, except those that refer to nothing of the project', () => {
    const silent = nodeKinds.filter(kind => kind.effects !== 'none' && !kind.references).map(({ type }) => type);
    expect(silent.toSorted()).toEqual(['code-node', 'delay-node', 'file-node', 'send-event-node', 'wait-node']);
  });
});
