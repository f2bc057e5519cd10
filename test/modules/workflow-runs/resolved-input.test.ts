import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { compileGraph } from '../../../src/engine/workflow/graph/graph.js';
import { OPERATOR } from '../../../src/modules/accounts/viewer.js';
import { NodeInputs } from '../../../src/modules/workflow-runs/journal/node-inputs.js';
import { RunJournal } from '../../../src/modules/workflow-runs/journal/run-journal.js';
import { NotFoundError } from '../../../src/platform/errors/errors.js';
import { createContext } from '../../../src/platform/requests/context.js';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { openDatabase } from '../../support/database.js';
import { chain, field, type GraphData, http, llm, node, output, template, trigger } from '../../support/graphs.js';
import { createWorkflow } from '../../support/run-graphs.js';
import { startTestService, type TestService } from '../../support/service.js';

const SECRET = 'sk-very-secret-value';
const NODES = `query ($id: UUID!, $nodeId: String, $iteration: String) {
  workflowRun(id: $id) { nodes(nodeId: $nodeId, iteration: $iteration) { nodeId iteration status content resolvedInput } } }`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

async function run(data: GraphData, input: object = {}): Promise<string> {
  const route = `/api/v1/workflows/${await createWorkflow(service, { ...data })}/run/`;
  const { body } = await service.rest('POST', route, { body: input });
  await awaitFinish(service, body.data.id);
  return body.data.id;
}

async function nodesOf(id: string, more: object = {}): Promise<any[]> {
  return (await service.graphql(NODES, { id, ...more })).data.workflowRun.nodes;
}

it('shows the prompt and the request with their values; secrets are masked', async () => {
  const call = http('http://127.0.0.1:1/{{ input.topic }}', {
    headers: { Authorization: 'Bearer {{ input.key }}' },
    on_error: 'continue',
  });
  const ask = llm('Write about {{ input.topic }} with {{ input.key }}.');
  const data = chain(
    trigger(field('topic'), field('key', { is_secret: true })),
    call,
    ask,
    output('{{ previous.content }}!'),
  );
  const id = await run(data, { topic: 'tea', key: SECRET });
  const nodes = await nodesOf(id);
  const inputs = new Map(nodes.map(({ nodeId, resolvedInput }) => [nodeId, resolvedInput]));
  expect(inputs.get(call.id)).toMatchObject({
    url: 'http://127.0.0.1:1/tea',
    headers: { Authorization: 'Bearer ********' },
  });
  expect(inputs.get(ask.id)).toMatchObject({ messages: [{ message: 'Write about tea with ********.' }] });
  expect(nodes.at(-1).resolvedInput).toEqual({ value: 'Write about tea with ********.!' });
  expect(JSON.stringify(nodes)).not.toContain(SECRET);
  expect(await nodesOf(id, { nodeId: ask.id })).toHaveLength(1);
  const [row] = await service.sql('select events from workflow_run_journal where run_id = $1', [id]);
  expect(JSON.stringify(row)).not.toContain('Bearer');
});

it('shows the input of a node in each iteration of nested loops', async () => {
  const greet = template('{{ input.word }} {{ nodes.outside.content }}');
  const inner = chain(trigger(), greet, output());
  const nested = node('loop-node', { items: '{{ input.words }}', body: inner });
  const body = chain(trigger(), nested, output());
  const outside = { ...template('from outside'), id: 'outside' };
  const words = JSON.stringify([{ words: [{ word: 'a' }] }, { words: [{ word: 'b' }, { word: 'c' }] }]);
  const list = template(words);
  const loop = node('loop-node', { items: `{{ nodes.${list.id}.content }}`, body });
  const id = await run(chain(trigger(), outside, list, loop, output()));
  const [found] = await nodesOf(id, { nodeId: greet.id, iteration: '1.1' });
  expect(found).toEqual({
    ...{ nodeId: greet.id, iteration: '1.1', status: 'SUCCEEDED', content: 'c from outside' },
    resolvedInput: { template: 'c from outside' },
  });
  expect((await nodesOf(id, { nodeId: nested.id, iteration: '1' }))[0].resolvedInput.items).toEqual([
    { word: 'b' },
    { word: 'c' },
  ]);
  expect(await nodesOf(id, { nodeId: greet.id, iteration: '9' })).toEqual([]);
});

it('cuts the texts of a large input, with a note', async () => {
  const ask = llm('Sum up: {{ input.text }}');
  const id = await run(chain(trigger(field('text')), ask, output()), { text: 'x'.repeat(100_000) });
  const [{ resolvedInput }] = await nodesOf(id, { nodeId: ask.id });
  expect(Buffer.byteLength(JSON.stringify(resolvedInput))).toBeLessThanOrEqual(65_536);
  expect(resolvedInput.messages[0].message).toMatch(/^Sum up: x+\n\[truncated: the text has more than 16384 bytes\]$/);
});

it('a run that is deleted during the request fails only its own nodes', async () => {
  const greet = template('Hello');
  const data = chain(trigger(), greet, output());
  const [kept, deleted] = [await run(data), await run(data)];
  const load = async (_context: unknown, id: string) => {
    if (id === deleted) throw new NotFoundError();
    return { revisionId: 1 };
  };
  const revisions = { get: async () => ({ graph: compileGraph({ ...data }) }) };
  const database = await openDatabase(service.database);
  const inputs = new NodeInputs({ load } as never, revisions as never, new RunJournal(database), {
    fits: async () => true,
  } as never);
  const context = createContext(OPERATOR);
  const inputOf = (runId: string) => inputs.of(context, { runId, nodeId: greet.id, iteration: null } as never);
  const [shown, failed] = await Promise.allSettled([inputOf(kept), inputOf(deleted)]);
  await database.close();
  expect(shown).toEqual({ status: 'fulfilled', value: { template: 'Hello' } });
  expect(failed).toEqual({ status: 'rejected', reason: expect.any(NotFoundError) });
});
