import { type Json, node, template } from '../../support/graphs.js';
import { failing, type GraphCase, named, type ProjectIds, sequence, wired } from '../graph-case.js';

/** Servers of the corpus. */
export interface Servers {
  /** Address of a server that answers with what it got. */
  site: string;
  /** Address of an MCP server. */
  mcp: string;
}

const settings = { model_name: 'echo' };
/** Settings with which the model `echo` calls the tool once. */
const choice = (name: string) => ({ ...settings, tool_choice: { type: 'function', function: { name } } });
const messages = [
  { role: 'system', message: 'Be short.' },
  { role: 'user', message: 'Hello {{ input.name }}' },
];
const agent = (more: Json = {}) => node('agent-node', { messages, settings, ...more });
/**
 * The conversation of an agent whose first answer calls a tool with these arguments. Without a user message, `echo` answers with the last
 * message: after the call, that is the result of the tool.
 */
const callWith = (args: Json) => [{ role: 'system', message: JSON.stringify(args) }];
const classified = (label: string, confidence: number) => JSON.stringify({ label, confidence });
const end = (id: string, value = id) => named(id, 'output-node', { value });
const name = { name: 'Ada' };

/** A classifier whose model answers with `answer`: `echo` repeats the text. `expected` is the branch that the run follows. */
const classifierCase = (feature: string, answer: string, expected: string): GraphCase => ({
  name: `classifier: ${feature}`,
  data: wired(
    [
      named('c', 'classifier-node', {
        text: answer,
        settings,
        min_confidence: 0.5,
        repair: false,
        labels: [{ name: 'good' }, { name: 'bad' }],
      }),
      ...['good', 'bad', 'unsure'].map(id => end(id)),
    ],
    ['t>c', 'c:label-0>good', 'c:label-1>bad', 'c:low-confidence>unsure'],
  ),
  output: expected,
});

/** Graphs of agents, answers of people and events, other runs, and services with a protocol of their own. */
export function services({ site, mcp }: Servers): GraphCase[] {
  const lookUpTool = {
    kind: 'http',
    name: 'look_up',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    request: { url: `${site}/echo?q={{ args.word }}` },
  };
  return [
    sequence('agent: an answer', [agent()], 'Hello Ada', name),
    sequence(
      'agent: a call of a tool',
      [
        agent({ messages: callWith({ word: 'owl' }), tools: [lookUpTool], settings: choice('look_up') }),
        template('{{ previous.json.path }}'),
      ],
      '/echo?q=owl',
    ),
    failing(
      'agent: too many steps',
      [agent({ tools: [lookUpTool], settings: choice('look_up'), max_steps: 1 })],
      'max_steps_reached',
      name,
    ),
    sequence(
      'agent: a tool of an MCP server',
      [
        agent({
          messages: callWith({ text: 'from the tool' }),
          tools: [{ kind: 'mcp', endpoint_url: mcp, timeout: 30 }],
          settings: choice('echo'),
        }),
      ],
      'from the tool',
    ),
    {
      name: 'agent: a handoff',
      // `second` needs no edge: `first` hands its conversation over to it, and its answer becomes the content of `first`. Only the model of
      // `second` answers in JSON.
      data: wired(
        [
          named('first', 'agent-node', {
            messages: callWith({ reason: 'a question' }),
            settings: choice('handoff_to_Second'),
            handoffs: ['second'],
          }),
          named('second', 'agent-node', {
            label: 'Second',
            messages: [{ role: 'system', message: 'Be short.' }],
            settings: { ...settings, response_format: { type: 'json_object' } },
          }),
          end('end', '{{ previous.json.echo }}'),
        ],
        ['t>first', 'first>end'],
      ),
      output: 'The agent "Second" continues.',
    },
    sequence('agent: the memory of a run without a chat', [agent({ memory: {} })], 'Hello Ada', name),
    failing(
      'agent: the memory of an unknown conversation',
      [agent({ memory: { conversation: '{{ run.id }}' } })],
      'conversation_not_found',
      name,
    ),
    sequence(
      'model: the memory of a run without a chat',
      [node('basic-node', { messages, settings, memory: { max_messages: 4 } })],
      'Hello Ada',
      name,
    ),
    sequence(
      'extractor: values of a text',
      [
        node('extractor-node', {
          text: '{"total": 3}',
          settings,
          output_schema: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
        }),
        template('{{ previous.json.total + 1 }}'),
      ],
      4,
    ),
    classifierCase('a label', classified('bad', 0.9), 'bad'),
    classifierCase('a low confidence', classified('good', 0.2), 'unsure'),
    {
      name: 'wait: an event that the run has sent',
      data: wired(
        [
          named('s', 'send-event-node', { event: 'paid', correlation_key: '{{ run.id }}', payload: { amount: 5 } }),
          named('w', 'wait-node', { event: 'paid', correlation_key: '{{ run.id }}' }),
          end('received', '{{ nodes.w.json.amount }}'),
          end('expired'),
        ],
        ['t>s', 's>w', 'w:received>received', 'w:expired>expired'],
      ),
      output: 5,
    },
    {
      name: 'wait: no event in time',
      data: wired(
        [named('w', 'wait-node', { event: 'never', event_timeout_seconds: 1 }), end('received'), end('expired')],
        ['t>w', 'w:received>received', 'w:expired>expired'],
      ),
      output: 'expired',
    },
    sequence(
      'event: its id',
      [node('send-event-node', { event: 'e' }), template('{{ length(previous.content) }}')],
      36,
    ),
    sequence('respond: an answer before the end', [node('respond-node', { body: 'early' }), template('late')], 'late'),
    sequence(
      'respond: status and headers',
      [
        node('respond-node', { status: 202, headers: { 'x-a': 1 }, body: { a: 1 } }),
        template('{{ previous.json.status }}'),
      ],
      202,
    ),
    {
      ...sequence(
        'scenario: its result',
        [node('scenario-node', { scenario_id: '{{ input.scenario }}' })],
        'A question',
      ),
      input: ({ scenario }: ProjectIds) => ({ scenario }),
    },
    sequence('search: a project without documents', [node('search-node', { query: 'refunds' })], []),
    sequence(
      'mcp: a tool',
      [node('mcp-node', { endpoint_url: mcp, timeout: 30, tool: 'echo', arguments: { text: 'a' } })],
      'a',
    ),
    failing(
      'mcp: an unknown tool',
      [node('mcp-node', { endpoint_url: mcp, timeout: 30, tool: 'none' })],
      'mcp_unknown_tool',
    ),
    sequence(
      'database: rows',
      [
        node('database-node', { connection: '{{ env.DB }}', query: 'select $1::int as a', parameters: [7] }),
        template('{{ previous.json.rows }}'),
      ],
      [{ a: 7 }],
    ),
    failing(
      'database: a wrong statement',
      [node('database-node', { connection: '{{ env.DB }}', query: 'selec 1' })],
      'database_error',
    ),
    sequence(
      'email: a text',
      [
        node('email-node', {
          connection: '{{ env.SMTP }}',
          from: 'ann@example.com',
          to: 'bob@example.com',
          subject: 'Hi',
          text: 'Hello',
        }),
        template('{{ previous.json.accepted }}'),
      ],
      ['bob@example.com'],
    ),
    sequence(
      'email: an attachment',
      [
        node('file-node', { operation: 'write', file_name: 'note.txt', content: 'the text of a file' }),
        node('email-node', {
          ...{ connection: '{{ env.SMTP }}', from: 'ann@example.com', to: 'file@example.com', subject: 'A file' },
          attachments: ['{{ previous.content }}'],
        }),
        template('{{ previous.json.accepted }}'),
      ],
      ['file@example.com'],
    ),
  ];
}
