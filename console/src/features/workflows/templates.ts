/** A graph to start from. All of its models are the built-in one, so that it runs without a provider key. */
export interface WorkflowTemplate {
  id: string;
  title: string;
  description: string;
  data: { nodes: object[]; edges: object[] };
}

/** Distances between nodes on the canvas, in pixels. */
const COLUMN_WIDTH = 300;
const ROW_HEIGHT = 160;
const MODEL = { model_name: 'echo', temperature: 0 };

interface Step {
  id: string;
  type: string;
  data: object;
  /** Column and row on the canvas. */
  at: [number, number];
}

function step(id: string, type: string, label: string, at: [number, number], data: object): Step {
  return { id, type, at, data: { id, label, ...data } };
}

/** `source`, `target` and, for one of several outputs, its handle. */
type Edge = [string, string, string?];

function graph(steps: readonly Step[], edges: readonly Edge[]) {
  return {
    nodes: steps.map(({ at: [column, row], ...node }) => ({
      ...node,
      position: { x: column * COLUMN_WIDTH, y: row * ROW_HEIGHT },
    })),
    edges: edges.map(([source, target, sourceHandle]) => ({
      id: `${source}-${target}`,
      source,
      target,
      ...(sourceHandle === undefined ? {} : { sourceHandle }),
    })),
  };
}

const start = (id: string, title: string) =>
  step('start', 'trigger-node', 'Start', [0, 0], {
    input_fields: [{ id, title, type: 'textarea', input_requirements: true }],
  });

/** The templates of the dialog for a new workflow. */
export const TEMPLATES: readonly WorkflowTemplate[] = [
  {
    id: 'answer',
    title: 'Answer a question',
    description: 'Asks a model and returns its answer.',
    data: graph(
      [
        start('question', 'Question'),
        step('answer', 'basic-node', 'Answer', [1, 0], {
          messages: [{ role: 'user', message: 'Answer in three sentences: {{ input.question }}' }],
          settings: MODEL,
        }),
        step('output', 'output-node', 'Output', [2, 0], { value: '{{ nodes.answer.content }}' }),
      ],
      [
        ['start', 'answer'],
        ['answer', 'output'],
      ],
    ),
  },
  {
    id: 'extract',
    title: 'Extract data from a text',
    description: 'Reads fields such as a number and a total from a text, as JSON.',
    data: graph(
      [
        start('text', 'Text'),
        step('extract', 'extractor-node', 'Extract', [1, 0], {
          text: '{{ input.text }}',
          output_schema: {
            type: 'object',
            properties: { number: { type: 'string' }, total: { type: 'number' } },
          },
          settings: MODEL,
        }),
        step('output', 'output-node', 'Output', [2, 0], { value: '{{ nodes.extract.json }}' }),
      ],
      [
        ['start', 'extract'],
        ['extract', 'output'],
      ],
    ),
  },
  {
    id: 'sort',
    title: 'Sort messages',
    description: 'Takes one path for urgent messages, another for all others.',
    data: graph(
      [
        start('message', 'Message'),
        step('urgent', 'if-else-node', 'Is it urgent?', [1, 0], {
          condition: { left: '{{ input.message }}', operator: 'contains', right: 'urgent', ignore_case: true },
        }),
        step('escalate', 'template-node', 'Escalate', [2, -0.5], {
          template: 'Call the team now: {{ input.message }}',
        }),
        step('queue', 'template-node', 'Queue', [2, 0.5], { template: 'For tomorrow: {{ input.message }}' }),
        step('output', 'output-node', 'Output', [3, 0], { value: '{{ previous.content }}' }),
      ],
      [
        ['start', 'urgent'],
        ['urgent', 'escalate', 'condition-true'],
        ['urgent', 'queue', 'condition-false'],
        ['escalate', 'output'],
        ['queue', 'output'],
      ],
    ),
  },
  {
    id: 'list',
    title: 'Work through a list',
    description: 'Runs the same steps for each line of a text and collects the results.',
    data: graph(
      [
        start('lines', 'Lines'),
        step('each', 'loop-node', 'For each line', [1, 0], {
          items: '{{ input.lines | split: "\n" }}',
          body: graph(
            [
              step('item', 'trigger-node', 'Item', [0, 0], { input_fields: [] }),
              step('summary', 'basic-node', 'Summarise', [1, 0], {
                messages: [{ role: 'user', message: 'Summarise: {{ input.item }}' }],
                settings: MODEL,
              }),
            ],
            [['item', 'summary']],
          ),
        }),
        step('output', 'output-node', 'Output', [2, 0], { value: '{{ nodes.each.content }}' }),
      ],
      [
        ['start', 'each'],
        ['each', 'output'],
      ],
    ),
  },
];
