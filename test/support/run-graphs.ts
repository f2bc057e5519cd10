import type { TestService } from './service.js';

type Data = Record<string, unknown>;

// Unlike those of `graphs.ts`, the nodes of these graphs have fixed ids, and name their next nodes instead of having edges.

function node(id: string, type: string, data: Data): Data {
  return { id, type, position: { x: 0, y: 0 }, data: { label: id, ...data } };
}

function graph(nodes: Data[]): Data {
  return { nodes, edges: [], viewport: { x: 0, y: 0, zoom: 1 }, start_node: 'trigger' };
}

function trigger(next: string): Data {
  const input_fields = [{ id: 'topic', title: 'Topic', type: 'text', input_requirements: true }];
  return node('trigger', 'trigger-node', { input_fields, next_nodes: [next] });
}

/** trigger → if → output, without external calls. */
export function pureGraph(): Data {
  return graph([
    trigger('if'),
    node('if', 'if-else-node', {
      condition: { left: '{{ input.topic }}', operator: '==', right: 'cats' },
      true_node: 'out',
      false_node: 'out',
    }),
    node('out', 'output-node', { value: 'about {{ input.topic }}' }),
  ]);
}

/** trigger → llm → output. */
export function echoGraph(model: string): Data {
  return graph([
    trigger('llm'),
    node('llm', 'basic-node', {
      messages: [{ role: 'user', message: 'Write about {{ input.topic }}' }],
      settings: { model_name: model },
      next_nodes: ['out'],
    }),
    node('out', 'output-node', { value: '{{ previous.content }}' }),
  ]);
}

/** trigger → llm → http → output: two nodes with external calls in sequence. */
export function externalCallsGraph(model: string, url: string): Data {
  return graph([
    trigger('llm'),
    node('llm', 'basic-node', {
      messages: [{ role: 'user', message: 'Write about {{ input.topic }}' }],
      settings: { model_name: model },
      next_nodes: ['http'],
    }),
    node('http', 'http-node', { method: 'POST', url, body: { text: '{{ previous.content }}' }, next_nodes: ['out'] }),
    node('out', 'output-node', { value: '{{ nodes.llm.content }} and {{ nodes.http.json.path }}' }),
  ]);
}

/** Creates a workflow in a new project and returns its id. */
export async function createWorkflow(service: Pick<TestService, 'rest'>, data: object): Promise<number> {
  const project = await service.rest('POST', '/api/v1/projects/', { body: { name: 'Test' } });
  const workflow = await service.rest('POST', '/api/v1/workflows/', {
    body: { project: project.body.id, title: 'Test', data },
  });
  if (workflow.status !== 201) throw new Error(JSON.stringify(workflow.body));
  return workflow.body.id;
}
