import { describe, expect, test } from '@jest/globals';
import type { ConversationReader, MemoryQuery } from '../../../src/engine/conversation/port.js';
import type { JsonObject } from '../../../src/engine/json-value.js';
import { type ModelRequest, PortError } from '../../../src/engine/ports.js';
import { checkWorkflow } from '../../../src/engine/workflow/graph/validate.js';
import { fakePorts, usageOf } from '../fake-ports.js';
import { node, run, trigger, workflow } from '../samples.js';

const earlier = [
  { role: 'user' as const, content: 'My name is Ada.' },
  // Placeholders in earlier messages are sent as they are.
  { role: 'assistant' as const, content: 'Hello {{ input.secret }}.' },
];
const messages = [
  { role: 'system', message: 'Be short.' },
  { role: 'user', message: '{{ input.message }}' },
];

/** Ports with a conversation, and the queries that read it. */
function portsWithConversation(read: ConversationReader['read'] = async () => earlier) {
  const queries: MemoryQuery[] = [];
  const reader: ConversationReader = {
    read: query => {
      queries.push(query);
      return read(query);
    },
  };
  const ports = fakePorts({
    conversations: reader,
    llm: request => ({ text: 'You are Ada.', usage: usageOf(request) }),
  });
  return { ports, queries };
}

const modelGraph = (type: string, data: JsonObject) =>
  workflow(
    [
      trigger('t', { input_fields: [{ id: 'message', type: 'text' }] }),
      node(type)('m', { messages, settings: { model_name: 'echo' }, ...data }),
    ],
    ['t>m'],
  );
const input = { message: 'Who am I?' };
const sent = ({ prompts }: { prompts: ModelRequest[] }) => prompts.map(request => request.messages);

describe.each(['agent-node', 'basic-node'])('the memory of %s', type => {
  test.each<[string, unknown, MemoryQuery]>([
    ['the conversation of the run', {}, { maxMessages: 20 }],
    ['a number of messages', { max_messages: '{{ 2 + 4 }}' }, { maxMessages: 6 }],
    ['another conversation', { conversation: ' {{ input.message }} ' }, { conversation: 'Who am I?', maxMessages: 20 }],
    ['the conversation of the run if the id is empty', { conversation: '{{ "" }}' }, { maxMessages: 20 }],
  ])('reads %s', async (_title, memory, query) => {
    const { ports, queries } = portsWithConversation();
    const events = await run(modelGraph(type, { memory }), { ports, input });
    expect(events.at(-1)).toMatchObject({ type: 'run.succeeded' });
    expect(queries).toEqual([query]);
    expect(sent(ports)).toEqual([
      [{ role: 'system', content: 'Be short.' }, ...earlier, { role: 'user', content: 'Who am I?' }],
    ]);
  });

  test('is not read without the setting', async () => {
    const { ports, queries } = portsWithConversation();
    await run(modelGraph(type, { memory: null }), { ports, input });
    expect([queries, sent(ports)[0]]).toEqual([
      [],
      [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Who am I?' },
      ],
    ]);
  });

  test('is the recorded one when the run resumes', async () => {
    const { ports } = portsWithConversation();
    const whole = await run(modelGraph(type, { memory: {} }), { ports, input });
    const recorded = whole.slice(0, whole.findIndex(event => event.type === 'node.step.succeeded') + 1);
    const later = portsWithConversation(async () => [...earlier, ...earlier]);
    await run(modelGraph(type, { memory: {} }), { ports: later.ports, input, recorded });
    expect(later.queries).toEqual([]);
    expect(sent(later.ports)).toEqual(sent(ports));
  });

  test('fails the node if the project has no such conversation', async () => {
    const refused = async () => {
      throw new PortError('conversation_not_found', 'no such conversation', { isFinal: true });
    };
    const { ports } = portsWithConversation(refused);
    const events = await run(modelGraph(type, { memory: { conversation: 'x' }, on_error: 'retry' }), { ports, input });
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', error: { code: 'conversation_not_found' } });
    expect(ports.prompts).toEqual([]);
  });

  test.each([
    ['memory.max_messages', { max_messages: 1 }],
    ['memory.max_messages', { max_messages: 101 }],
    ['memory', 'yes'],
  ])('is checked at %s', (path, memory) => {
    const { issues } = checkWorkflow(modelGraph(type, { memory }), { servesModel: () => true });
    expect(issues).toEqual([expect.objectContaining({ path })]);
  });
});

test('an agent that takes over gets the memory of the conversation', async () => {
  const agent = (id: string, data: JsonObject) =>
    node('agent-node')(id, { label: id, messages, settings: { model_name: id }, ...data });
  const graph = workflow(
    [
      trigger('t', { input_fields: [{ id: 'message', type: 'text' }] }),
      agent('first', { handoffs: ['second'], memory: {} }),
      agent('second', {}),
    ],
    ['t>first'],
  );
  const ports = fakePorts({
    conversations: { read: async () => earlier },
    llm: request =>
      request.settings.model_name === 'first'
        ? { text: '', toolCalls: [{ id: 'h', name: 'handoff_to_second', arguments: '{}' }], usage: usageOf(request) }
        : { text: 'You are Ada.', usage: usageOf(request) },
  });
  await run(graph, { ports, input });
  expect(sent(ports)[1]?.slice(0, 4)).toEqual([
    { role: 'system', content: 'Be short.' },
    ...earlier,
    { role: 'user', content: 'Who am I?' },
  ]);
});
