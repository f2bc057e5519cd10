import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/engine/json-value.js';
import type { ModelRequest } from '../../../../src/engine/ports.js';
import { checkWorkflow } from '../../../../src/engine/workflow/graph/validate.js';
import type { RunEvent } from '../../../../src/engine/workflow/run/run-event.js';
import { fakePorts, usageOf } from '../../fake-ports.js';
import { node, run, trigger, workflow } from '../../samples.js';

const t = trigger('t', { input_fields: [{ id: 'question', type: 'text' }] });
const agent = (id: string, data: JsonObject = {}) =>
  node('agent-node')(id, {
    label: id,
    messages: [
      { role: 'system', message: `You are ${id}. {{ input.question }}` },
      { role: 'user', message: `Hello ${id}.` },
    ],
    settings: { model_name: `model-of-${id}` },
    ...data,
  });
/** Only the first agent has an edge. */
const team = (first: JsonObject = {}, second: JsonObject = {}, more: ReturnType<typeof agent>[] = []) =>
  workflow(
    [
      t,
      agent('triage', { handoffs: ['billing'], ...first }),
      agent('billing', { handoffs: ['triage'], ...second }),
      ...more,
    ],
    ['t>triage'],
  );

const handoff = (to: string) => ({ id: 'h', name: `handoff_to_${to}`, arguments: '{"reason":"about money"}' });
/** Agents that hand over `times` times if they can, and then answer with their names. */
const handingOver = (times: number) =>
  fakePorts({
    llm: (request: ModelRequest) => {
      const done = request.messages.filter(({ role }) => role === 'tool').length;
      const name = request.settings.model_name?.replace('model-of-', '') ?? '';
      const usage = usageOf(request);
      if (done >= times) return { text: `I am ${name}.`, usage };
      return { text: '', toolCalls: [handoff(name === 'triage' ? 'billing' : 'triage')], usage };
    },
  });
const endOf = (events: Awaited<ReturnType<typeof run>>) =>
  events.find(event => (event.type === 'node.succeeded' || event.type === 'node.failed') && event.node === 'triage');
const input = { question: 'Why?' };

describe('a handoff to another agent', () => {
  test('lets the other agent answer with its instructions and the conversation', async () => {
    const ports = handingOver(1);
    const events = await run(team(), { ports, input });
    expect(endOf(events)).toMatchObject({ type: 'node.succeeded', content: 'I am billing.' });
    expect(ports.prompts.map(({ settings }) => settings.model_name)).toEqual(['model-of-triage', 'model-of-billing']);
    expect(ports.prompts[0]?.tools?.map(({ name }) => name)).toEqual(['handoff_to_billing']);
    expect(ports.prompts[1]?.tools?.map(({ name }) => name)).toEqual(['handoff_to_triage']);
    expect(ports.prompts[1]?.messages).toEqual([
      { role: 'system', content: 'You are billing. Why?' },
      { role: 'user', content: 'Hello triage.' },
      { role: 'assistant', content: '', toolCalls: [handoff('billing')] },
      { role: 'tool', content: 'The agent "billing" continues.', toolCallId: 'h' },
    ]);
    const steps = events.flatMap(event => (event.type === 'node.step.started' ? [[event.step, event.tool]] : []));
    expect(steps).toEqual([
      ['model 1', undefined],
      ['tool 1.1', 'handoff_to_billing'],
      ['model 2', undefined],
    ]);
  });

  test('is not repeated after any event, and no call is', async () => {
    const events = (await run(team(), { ports: handingOver(3), input })) as RunEvent[];
    for (let cut = 1; cut < events.length; cut++) {
      const recorded = events.slice(0, cut);
      const later = (await run(team(), { ports: handingOver(3), input, recorded })) as RunEvent[];
      const stepsOf = (all: readonly RunEvent[]) =>
        all.flatMap(event => (event.type === 'node.step.succeeded' ? [event.step] : []));
      expect(stepsOf(later).filter(step => stepsOf(recorded).includes(step))).toEqual([]);
      expect([...recorded, ...later].at(-1)).toMatchObject({ type: 'run.succeeded' });
      expect(endOf([...recorded, ...later])).toMatchObject({ content: 'I am billing.' });
    }
  });

  test('is rejected beyond the maximum', async () => {
    const ports = handingOver(4);
    const events = await run(team({ max_handoffs: 2 }), { ports, input });
    expect(endOf(events)).toMatchObject({ type: 'node.succeeded', content: 'I am triage.' });
    expect(
      ports.prompts
        .at(-1)
        ?.messages.filter(({ role }) => role === 'tool')
        .map(({ content }) => content),
    ).toEqual([
      'The agent "billing" continues.',
      'The agent "triage" continues.',
      'Error: No further handoff is possible. Answer yourself.',
      'Error: No further handoff is possible. Answer yourself.',
    ]);
  });

  test('needs the approval that the other agent needs to start', async () => {
    const ports = handingOver(1);
    const events = await run(team({}, { approval: 'always' }), { ports, input });
    expect(events.some(event => event.type === 'node.waiting' && event.wait.kind === 'approval')).toBe(true);
    // The request expires, so the first agent answers itself.
    expect(endOf(events)).toMatchObject({ content: 'I am triage.' });
    expect(ports.prompts.map(({ settings }) => settings.model_name)).toEqual(['model-of-triage', 'model-of-triage']);
  });

  test.each<[string, JsonObject, string]>([
    ['an unknown node', { handoffs: ['missing'] }, 'there is no node missing'],
    ['a node of another kind', { handoffs: ['t'] }, 'must be the id of an agent-node'],
    ['itself', { handoffs: ['triage'] }, 'must be another node'],
    ['the same agent twice', { handoffs: ['billing', 'billing'] }, 'is listed twice'],
    ['too many handoffs', { max_handoffs: 21 }, 'max_handoffs'],
  ])('to %s is a fault', (_, data, message) => {
    const check = checkWorkflow(team(data), { workflowId: null, servesModel: () => true });
    expect(check.is_valid).toBe(false);
    expect(JSON.stringify(check.issues)).toContain(message);
  });

  test('has the faults of the settings of the other agent', () => {
    const isServed = (_: string | undefined, model: string) => model !== 'model-of-billing';
    const check = checkWorkflow(team({}, { max_steps: 0 }), { workflowId: null, servesModel: isServed });
    expect(check.issues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ node_id: 'billing', path: 'max_steps' }),
        expect.objectContaining({ node_id: 'billing', code: 'unknown_model' }),
      ]),
    );
    expect(checkWorkflow(team(), { workflowId: null, servesModel: () => true }).is_valid).toBe(true);
  });
});
