import type { ChatSettings } from './use-chat';

/** Horizontal distance between the left sides of two nodes, in pixels. */
const NODE_DISTANCE = 280;

/** A workflow that takes a message, asks the model and returns its answer. `text` is the default message. */
export function chatGraph(model: string, { system, temperature, maxTokens }: ChatSettings, text: string) {
  const ids = ['start', 'answer', 'result'] as const;
  const node = (at: number, type: string, label: string, data: object) => ({
    id: ids[at],
    type,
    position: { x: at * NODE_DISTANCE, y: 0 },
    data: { id: ids[at], name: label, label, version: '1.0', ...data },
  });
  const messages = [
    ...(system.trim() === '' ? [] : [{ role: 'system', message: system }]),
    { role: 'user', message: '{{ input.message }}' },
  ];
  const settings = {
    model_name: model,
    ...(temperature === '' ? {} : { temperature: Number(temperature) }),
    ...(maxTokens === '' ? {} : { max_tokens: Number(maxTokens) }),
  };
  const edge = (from: number) => ({
    id: `${ids[from]}-${ids[from + 1]}`,
    type: 'custom-edge',
    source: ids[from],
    target: ids[from + 1],
  });
  return {
    nodes: [
      node(0, 'trigger-node', 'Start', { input_fields: [messageField(text)] }),
      node(1, 'basic-node', 'Answer', { messages, settings }),
      node(2, 'output-node', 'Result', {}),
    ],
    edges: [edge(0), edge(1)],
    viewport: { x: 0, y: 0, zoom: 1 },
    start_node: ids[0],
  };
}

function messageField(text: string) {
  return {
    id: 'message',
    title: 'Message',
    type: 'text',
    input_requirements: true,
    placeholder: '',
    tooltip: '',
    default_value: text,
    is_secret: false,
    options: [],
  };
}
