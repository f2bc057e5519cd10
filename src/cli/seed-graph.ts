import { type Graph, graph, inputField, node } from '../demo/graph.js';

export const SEED_PROJECT = 'Demo';
export const SEED_WORKFLOW = 'Answer a customer';

const MESSAGE = '5eed0000-0000-4000-8000-000000000001';
const IS_HIGH = '5eed0000-0000-4000-8000-000000000002';
const REPLY = '5eed0000-0000-4000-8000-000000000003';
const HAND_OVER = '5eed0000-0000-4000-8000-000000000004';
const ANSWER = '5eed0000-0000-4000-8000-000000000005';

/** Returns a graph that runs everywhere: the built-in model needs no provider, and no node calls external services. */
export function seedGraph(): Graph {
  return graph([
    node(MESSAGE, 'trigger-node', 'A message arrives', {
      input_fields: [
        inputField('message', 'Message', 'text', 'Where is my parcel?'),
        inputField('urgency', 'Urgency, 1-5', 'number', '2'),
      ],
      next_nodes: [IS_HIGH],
    }),
    node(IS_HIGH, 'if-else-node', 'Is it urgent?', {
      condition: { left: '{{ input.urgency }}', operator: '>', right: '3' },
      true_node: HAND_OVER,
      false_node: REPLY,
    }),
    node(REPLY, 'basic-node', 'Draft a reply', {
      messages: [
        { role: 'system', message: 'Answer the customer in two friendly sentences.' },
        { role: 'user', message: '{{ input.message }}' },
      ],
      settings: { model_name: 'echo', temperature: 0.7 },
      next_nodes: [ANSWER],
    }),
    node(HAND_OVER, 'template-node', 'Hand it to a person', {
      template: 'A colleague answers at once: {{ input.message }}',
      next_nodes: [ANSWER],
    }),
    node(ANSWER, 'output-node', 'Answer', { value: '{{ previous.content }}', next_nodes: [] }),
  ]);
}
