import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chain, edge, graph, output, template, trigger } from '../support/graphs.js';
import { createWorkflow } from '../support/run-graphs.js';
import { startTestService, type TestService } from '../support/service.js';

const GRAPH = `graph { startNodeId nodes { nodeId type nodeType label position { x y } settings }
  edges { edgeId source sourceHandle target targetHandle } }`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service?.stop();
});

async function read(id: number): Promise<any> {
  return (await service.graphql(`query ($id: Int!) { workflow(id: $id) { data ${GRAPH} } }`, { id })).data.workflow;
}

async function update(id: number, input: object) {
  const mutation =
    'mutation ($id: Int!, $input: WorkflowUpdateInput!) { workflowUpdate(id: $id, input: $input) { errors { message } } }';
  return service.graphql(mutation, { id, input });
}

const [begin, text, end] = [trigger(), template('Dear {{ input.name }}', { label: 'Letter' }), output()];

it('a graph is read with typed nodes and edges', async () => {
  const data = chain(begin, text, end);
  const { graph: typed } = await read(await createWorkflow(service, { ...data }));
  expect(typed.startNodeId).toBe(data.start_node ?? null);
  expect(typed.nodes.map((node: any) => [node.nodeId, node.type, node.nodeType, node.label])).toEqual([
    [begin.id, 'trigger-node', 'TriggerNode', 'trigger-node'],
    [text.id, 'template-node', 'TemplateNode', 'Letter'],
    [end.id, 'output-node', 'OutputNode', 'output-node'],
  ]);
  expect(typed.nodes[1].settings).toEqual(text.data);
  expect(typed.edges.map((each: any) => [each.source, each.target])).toEqual([
    [begin.id, text.id],
    [text.id, end.id],
  ]);
});

it('a saved typed graph keeps unknown members of the graph, its nodes and its edges', async () => {
  const line = { ...edge(begin, text), animated: true };
  const wide = { ...text, width: 220, data: { ...text.data, color: 'red' } };
  const data = graph([begin, wide, end], [line], {
    viewport: { x: 1, y: 2, zoom: 1 },
    notes: ['kept'],
  } as any);
  const id = await createWorkflow(service, { ...data });
  const nodes = [
    { nodeId: begin.id },
    { nodeId: text.id, label: 'Note', position: { x: 10, y: 20.5 } },
    { nodeId: 'new', type: 'output-node', settings: { value: 'x' } },
  ];
  const edges = [
    { edgeId: line.id, source: begin.id, target: text.id },
    { source: text.id, target: 'new' },
  ];
  expect((await update(id, { graph: { nodes, edges } })).errors).toBeUndefined();
  const saved = (await read(id)).data;
  expect(saved).toMatchObject({ viewport: { x: 1, y: 2, zoom: 1 }, notes: ['kept'] });
  expect(saved.nodes).toEqual([
    begin,
    expect.objectContaining({
      width: 220,
      position: { x: 10, y: 20.5 },
      data: { ...text.data, color: 'red', label: 'Note' },
    }),
    { id: 'new', type: 'output-node', data: { value: 'x' } },
  ]);
  expect(saved.edges).toEqual([
    expect.objectContaining({ id: line.id, animated: true }),
    { source: text.id, target: 'new' },
  ]);
});

it('an update takes either data or graph, and a check takes a graph', async () => {
  const id = await createWorkflow(service, { ...chain(begin, end) });
  const nodes = [{ nodeId: begin.id, type: 'trigger-node' }];
  expect(JSON.stringify(await update(id, { data: chain(begin, end), graph: { nodes } }))).toContain(
    'Send either graph or data',
  );
  const query = 'query ($graph: WorkflowGraphInput) { workflowCheck(graph: $graph) { isValid issues { path } } }';
  expect((await service.graphql(query, { graph: { nodes } })).data.workflowCheck.isValid).toBe(true);
});

it('a typed graph is run without storing a workflow', async () => {
  const mutation = `mutation ($id: UUID!, $data: JSON, $graph: WorkflowGraphInput) {
    workflowRunStartGraph(id: $id, data: $data, graph: $graph, input: { name: "Ada" }) {
      receipt { status } errors { message path }
    }
  }`;
  const nodes = [
    { nodeId: 't', type: 'trigger-node', settings: {} },
    { nodeId: 'o', type: 'output-node', settings: { value: 'Dear {{ input.name }}' } },
  ];
  const typed = { nodes, edges: [{ source: 't', target: 'o' }] };
  const start = async (variables: object) =>
    (await service.graphql(mutation, { id: randomUUID(), ...variables })).data.workflowRunStartGraph;
  const count = () => service.sql('select count(*)::int as workflows from workflow');
  const before = await count();
  expect(await start({ graph: typed })).toEqual({ receipt: { status: 201 }, errors: [] });
  expect(await count()).toEqual(before);
  expect((await start({})).errors).toEqual([{ message: 'This field is required.', path: ['data'] }]);
  expect((await start({ graph: typed, data: {} })).errors).toMatchObject([{ path: ['graph'] }]);
});
