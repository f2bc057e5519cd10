import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { awaitFinish } from '../../rest/workflows/finished-run.js';
import { chain, edge, field, graph, http, ifElse, llm, node, output, trigger } from '../../support/graphs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { callsToolOnce } from '../../support/upstreams/calls-tool-once.js';
import { type StubUpstream, startStubUpstream } from '../../support/upstreams/stub-upstream.js';

const MODEL = 'gpt-4o-mini';
/** The largest part of a journal that the hashes of requests may add. */
const MAX_GROWTH = 0.1;

let upstream: StubUpstream;
let service: TestService;
let project: number;
beforeAll(async () => {
  upstream = await startStubUpstream();
  service = await startTestService({ openai: { baseUrl: upstream.url, apiKey: 'k' }, outboundAllow: ['127.0.0.1'] });
  project = (await service.rest('POST', '/api/v1/projects/', { body: { name: 'Sizes' } })).body.id;
  upstream.answers.set('/orders/7', ORDER);
});
afterAll(async () => {
  await service?.stop();
  await upstream?.stop();
});

/** A short answer of a model: 60 words. */
const ANSWER =
  'Thank you for your message. Your parcel left our warehouse on Monday and is now with the carrier. It usually arrives within two working days. If it does not reach you by Thursday evening, please reply to this message, and we will send you a new one at no cost or refund the whole amount, whichever you prefer.';
const ORDER = {
  ...{ id: 7, status: 'shipped', carrier: 'Parcel Post', tracking: 'PP-2231-8841', total: '24.90', currency: 'EUR' },
  items: [{ sku: 'CUP-1', name: 'Cup with a handle', count: 2 }],
  address: { name: 'Ada Lovelace', city: 'London' },
};

const order = () => http(`${upstream.origin}/orders/7`);
const answer = (text = 'Answer: {{ input.question }} {{ previous.content }}') => llm(text, MODEL);

const GRAPHS: Record<string, () => unknown> = {
  'an answer of a model': () => chain(trigger(field('question')), answer(), output('{{ previous.content }}')),
  'an order and an answer': () =>
    chain(trigger(field('question')), order(), answer(), output('{{ previous.content }}')),
  'a decision between two answers': () => {
    const [start, sort, choose] = [
      trigger(field('question')),
      answer('Sort'),
      ifElse('{{ previous.content }}', 'contains', 'parcel'),
    ];
    const [yes, no, end] = [answer('Yes'), answer('No'), output('{{ previous.content }}')];
    return graph(
      [start, sort, choose, yes, no, end],
      [
        ...[edge(start, sort), edge(sort, choose), edge(choose, yes, 'condition-true')],
        ...[edge(choose, no, 'condition-false'), edge(yes, end), edge(no, end)],
      ],
    );
  },
  'a chain of ten models': () =>
    chain(trigger(field('question')), ...Array.from({ length: 10 }, () => answer()), output('{{ previous.content }}')),
  'a loop over 20 orders': () => {
    const item = trigger(field('item'));
    const body = chain(item, order(), answer('Check {{ previous.content }}'), output('{{ previous.content }}'));
    const items = JSON.stringify(Array.from({ length: 20 }, (_, index) => `order ${index}`));
    const loop = node('loop-node', { items, body: { ...body, start_node: item.id } });
    return chain(trigger(field('question')), loop, output('done'));
  },
  'an agent with a tool': () => {
    const request = { url: `${upstream.origin}/orders/7` };
    const tools = [
      { kind: 'http', name: 'order', description: 'Reads an order.', parameters: { type: 'object' }, request },
    ];
    const messages = [{ role: 'user', message: '{{ input.question }}' }];
    const agent = node('agent-node', { messages, tools, settings: { model_name: MODEL } });
    return chain(trigger(field('question')), agent, output('{{ previous.content }}'));
  },
};

it.each(Object.keys(GRAPHS))('hashes of requests add at most a tenth to the journal of %s', async title => {
  const call = callsToolOnce('order', {});
  upstream.respondWith(asked => (asked.tools ? call(asked) : { content: ANSWER }));
  const body = { project, title, data: GRAPHS[title]!() };
  const { id } = (await service.rest('POST', '/api/v1/workflows/', { body })).body;
  const input = { question: 'Where is my parcel?' };
  const run = (await service.rest('POST', `/api/v1/workflows/${id}/run/`, { body: input })).body.data.id;
  expect((await awaitFinish(service, run)).status).toBe('succeed');
  const rows = await service.sql<{ text: string }>(
    'select events::text as text from workflow_run_journal where run_id = $1',
    [run],
  );
  const text = rows.map(row => row.text).join('');
  const bytes = Buffer.byteLength(text);
  const without = Buffer.byteLength(text.replace(/,?"request" ?: ?"[\w-]+"/g, ''));
  expect(without).toBeLessThan(bytes);
  const growth = bytes / without - 1;
  if (process.env.REPORT_SIZES) process.stderr.write(`${title}: ${without} bytes, +${(100 * growth).toFixed(1)} %\n`);
  expect(growth).toBeLessThanOrEqual(MAX_GROWTH);
});
