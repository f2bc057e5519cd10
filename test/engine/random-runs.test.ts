import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../src/engine/json-value.js';
import type { ModelAnswer, ModelRequest } from '../../src/engine/ports.js';
import { compileGraph } from '../../src/engine/workflow/graph/graph.js';
import { progressOf, resultOf } from '../../src/engine/workflow/run/progress.js';
import { openNodes } from '../../src/engine/workflow/run/recorded-state.js';
import type { RunEvent } from '../../src/engine/workflow/run/run-event.js';
import { echoMedia } from '../../src/providers/llm/echo-media.js';
import { fakeFiles, fakeKeyValues, fakePorts, upstreamDown, usageOf } from './fake-ports.js';
import {
  approval,
  classifier,
  code,
  csv,
  delay,
  extractor,
  http,
  ifElse,
  list,
  loop,
  merge,
  output,
  respond,
  run,
  set,
  subworkflow,
  switchNode,
  template,
  trigger,
  wait,
  workflow,
} from './samples.js';

type NodeEnd = Extract<RunEvent, { type: 'node.succeeded' | 'node.failed' }>;

/** Random graphs for each property; `npm run test:fuzz` sets 10,000. */
const PROPERTY_RUNS = Number(process.env.PROPERTY_RUNS ?? 300);
const PROPERTY_MS = 60_000 + 100 * PROPERTY_RUNS;

const kinds = [
  ...([
    'http',
    'file',
    'template',
    'if',
    'switch',
    'output',
    'delay',
    'loop',
    'subworkflow',
    'classifier',
    'extractor',
  ] as const),
  ...(['merge', 'set', 'list', 'detached', 'approval', 'wait', 'csv', 'respond', 'code', 'usage'] as const),
  ...(['graphql', 'rss', 'html', 'database', 'email', 'count', 'embedding'] as const),
  ...(['image', 'speech', 'transcription', 'agent'] as const),
] as const;
/** The content of `first` and `any` depends on timing. */
const mergeModes = ['all', 'append', 'zip', 'first', 'any'];

interface Plan {
  kind: (typeof kinds)[number];
  /** Picks the predecessors, and the branches that lead from them. */
  from: { node: number; branch: number; isError: boolean }[];
  onError: 'fail' | 'continue' | 'retry' | 'branch' | 'default';
  /** Attempts that fail before one succeeds. */
  failures: number;
  latency: number;
  value: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom(...kinds),
  from: fc.array(fc.record({ node: fc.nat(1000), branch: fc.nat(2), isError: fc.boolean() }), {
    minLength: 0,
    maxLength: 3,
  }),
  onError: fc.constantFrom('fail', 'continue', 'retry', 'branch', 'default'),
  failures: fc.constantFrom(0, 0, 0, 0, 1, Number.POSITIVE_INFINITY),
  latency: fc.nat(20),
  value: fc.nat(2),
});
const plans = fc.array(plan, { minLength: 1, maxLength: 14 });

const branchNames: Partial<Record<Plan['kind'], string[]>> = {
  if: ['condition-true', 'condition-false', 'condition-true'],
  switch: ['case-0', 'case-1', 'default'],
  classifier: ['label-0', 'label-1', 'low-confidence'],
  approval: ['approved', 'rejected', 'expired'],
  wait: ['received', 'expired', 'received'],
};

function build(items: readonly Plan[]): JsonObject {
  const nodes = [trigger('n0')];
  const edges = new Set<string>();
  items.forEach((item, at) => {
    const id = `n${at + 1}`;
    // A permanent failure that continues is not retried: which error is the last would depend on when the process dies.
    const isRetried = item.onError === 'retry' || Number.isFinite(item.failures);
    const retry = { attempts: 3, delay_seconds: 1, backoff: 'exponential', jitter: true };
    const policy = { on_error: item.onError, default_value: `no ${id}`, ...(isRetried ? { retry } : {}) };
    const of = (type: string, data: JsonObject) => ({ id, type, data: { ...data, ...policy } });
    const own = {
      http: () => http(id, policy),
      file: () => ({ id, type: 'file-node', data: { operation: 'write', content: `${id}`, ...policy } }),
      template: () => template(id, { template: `${id}:{{ previous.content }}`, ...policy }),
      if: () => ifElse(id, { condition: { left: item.value, operator: '>', right: 0 }, ...policy }),
      switch: () => switchNode(id, { value: item.value, cases: [{ equals: 0 }, { equals: '1' }], ...policy }),
      output: () => output(id, policy),
      delay: () => delay(id, [0, 0.5, 3600][item.value], policy),
      // The nodes of the body have the policy, because a retried loop repeats all its calls.
      loop: () => {
        const on_item_error = ['stop', 'skip', 'collect'][item.latency % 3];
        return loop(id, '[0,1,2]', { body: loopBody(`${id}r`, policy), concurrency: item.value + 1, on_item_error });
      },
      merge: () => merge(id, { mode: mergeModes[item.latency % mergeModes.length], count: 2, ...policy }),
      set: () => set(id, { [`v${item.value}`]: '{{ previous.content }}' }, policy),
      list: () => list(id, [2, 1, 2], [{ operation: 'dedupe' }, { operation: 'sort' }], policy),
      detached: () => subworkflow(id, { workflow_id: at + 1, detached: true, ...policy }),
      subworkflow: () => subworkflow(id, { workflow_id: at + 1, ...policy }),
      // The model repeats the text. One of the three labels is unknown: the node asks twice and fails.
      classifier: () =>
        classifier(id, JSON.stringify({ label: `l${item.value}`, confidence: item.latency / 20 }), {
          ...{ labels: [{ name: 'l0' }, { name: 'l1' }], min_confidence: 0.5, ...policy },
        }),
      // Every request expires.
      approval: () => approval(id, { approval_timeout_seconds: item.value + 1, ...policy }),
      csv: () => csv(id, `a,b\n1,${item.value}`, policy),
      respond: () => respond(id, policy),
      // The script calls no one, and its thread may die with the process.
      code: () => code(id, `return ${item.value}`, policy),
      // Reads the usage of a model, which a resumed run knows from its journal.
      usage: () => template(id, { template: usagesBefore(items, at), ...policy }),
      // An event for two of the three keys has been sent.
      wait: () => wait(id, 'paid', String(item.value), { event_timeout_seconds: 60, ...policy }),
      extractor: () => extractor(id, `{"value": ${item.value}}`, policy),
      graphql: () => of('graphql-node', { url: urlOf(id), query: '{ a }' }),
      rss: () => of('rss-node', { url: urlOf(id) }),
      html: () => of('html-extract-node', { html: '<b>x</b>', fields: [{ name: 'a', selector: 'b' }] }),
      database: () => of('database-node', { connection: `postgres://user@outside/${id}`, query: 'select 1' }),
      email: () => of('email-node', { connection: `smtp://${id}`, from: 'a@b.c', to: 'd@e.f' }),
      // The model of the test repeats the text.
      embedding: () => of('embedding-node', { input: '[[1]]', settings: { model_name: 'echo' } }),
      image: () => of('image-node', { prompt: 'A cat', settings: { model_name: 'echo' } }),
      speech: () => of('speech-node', { text: 'Hello', settings: { model_name: 'echo' } }),
      transcription: () => of('transcription-node', { file: RECORDING, settings: { model_name: 'echo' } }),
      // Hands over to an agent to which no edge leads, which answers.
      agent: () => {
        const asking = { messages: [{ role: 'user', message: id }], settings: { model_name: 'echo' } };
        nodes.push({ id: `${id}s`, type: 'agent-node', data: asking });
        return of('agent-node', { ...asking, handoffs: [`${id}s`] });
      },
      // Each node has a key of its own, whose value is 1 if the change is applied once.
      count: () => of('key-value-node', { operation: 'increment', key: id }),
    };
    for (const { node, branch, isError } of item.from) {
      const source = node % (at + 1);
      const before = source === 0 ? undefined : items[source - 1];
      const usual = before && branchNames[before.kind]?.[branch];
      const handle = before?.onError === 'branch' && isError ? 'error' : usual;
      edges.add(`n${source}${handle ? `:${handle}` : ''}>${id}`);
    }
    nodes.push(own[item.kind]());
  });
  return workflow(nodes, [...edges], { start_node: 'n0' });
}

/** The tokens of the predecessors of a node that call a model. */
function usagesBefore(items: readonly Plan[], at: number): string {
  const before = new Set<number>([at]);
  // The set grows during iteration, so this collects all predecessors.
  for (const each of before)
    for (const { node } of items[each]?.from ?? []) if (node % (each + 1) > 0) before.add((node % (each + 1)) - 1);
  const ids = [...before].filter(each => ['classifier', 'extractor'].includes(items[each]?.kind ?? ''));
  return ids.map(each => `{{ nodes.n${each + 1}.usage.total_tokens | default: 0 }}`).join(' ');
}

/** trigger → http → delay → output, for each item. */
function loopBody(id: string, policy: JsonObject): JsonObject {
  const nodes = [
    http(id, { url: `http://outside/${id}/{{ input.index }}`, ...policy }),
    delay(`${id}d`, 60),
    output(`${id}o`),
  ];
  return workflow(nodes, [`${id}>${id}d`, `${id}d>${id}o`], { start_node: id });
}

/** The answer of a model: its own media, or the last text. */
function modelAnswer(request: ModelRequest): ModelAnswer {
  const { media, messages, tools = [] } = request;
  const [handoff] = tools;
  if (handoff && messages.at(-1)?.role !== 'tool')
    return { text: '', toolCalls: [{ id: 'h', name: handoff.name, arguments: '{}' }], usage: usageOf(request) };
  const prompt = messages.map(({ content }) => content).join();
  const answer = media ? echoMedia(media, prompt) : { text: messages.at(-1)?.content ?? '' };
  return { ...answer, usage: usageOf(request) };
}

const RECORDING = '11111111-1111-4111-8111-111111111111';

/** Files in memory with a recording. */
function filesWithRecording() {
  const files = fakeFiles();
  const { bytes = new Uint8Array() } = echoMedia({ kind: 'speech', options: {} }, 'Hello');
  const reference = { file_id: RECORDING, name: 'a.wav', content_type: 'audio/wav', size: bytes.length, sha256: '' };
  files.stored.set(RECORDING, { reference, bytes });
  return files;
}

/** The address that a node calls; a separate one in each iteration of a loop. */
const urlOf = (node: string, iteration = '') => `http://outside/${node}${iteration === '' ? '' : `/${iteration}`}`;

const RETRIED = ['retry', 'branch', 'default'];

/** External services of a plan. An answer depends on the plan and on the number of the call, never on time. */
function outside(list: readonly Plan[], asked = new Map<string, number>(), keyValues = fakeKeyValues()) {
  const started = new Set<string>();
  const planOf = (url: string) => list[Number.parseInt(url.split('/n')[1] ?? '', 10) - 1];
  /** Counts a call. Returns whether it fails. */
  const isDown = (url: string) => {
    const count = (asked.get(url) ?? 0) + 1;
    asked.set(url, count);
    const { failures, onError } = planOf(url) ?? { failures: 0, onError: 'fail' };
    // If the process dies during a call, the call is repeated once. So a failure must be permanent where nothing is retried.
    return count <= (RETRIED.includes(onError) || failures === 0 ? failures : Number.POSITIVE_INFINITY);
  };
  /** A call over another protocol, recorded like one over HTTP. */
  const call = (connection: string) => {
    const url = urlOf(/n\d+$/.exec(connection)?.[0] ?? '');
    ports.asked.push({ url } as (typeof ports.asked)[number]);
    if (isDown(url)) throw upstreamDown();
  };
  const bodies: Partial<Record<Plan['kind'], string>> = {
    graphql: '{"data":{"a":1}}',
    rss: '<rss version="2.0"><channel><title>T</title><item><title>A</title></item></channel></rss>',
  };
  const ports: ReturnType<typeof fakePorts> = fakePorts({
    keyValues,
    llm: modelAnswer,
    files: filesWithRecording(),
    http: ({ url }) =>
      isDown(url) ? upstreamDown() : { body: bodies[planOf(url)?.kind ?? 'http'] ?? `answer of ${url}` },
    databases: {
      query: async ({ connection }) => {
        call(connection);
        return { rows: [{ a: 1 }], rowCount: 1, columns: ['a'], isTruncated: false };
      },
    },
    email: {
      send: async ({ connection, to }) => {
        call(connection);
        return { messageId: '<m>', accepted: [...to], rejected: [] };
      },
    },
    latency: ({ url }) => planOf(url)?.latency ?? 0,
    runs: {
      start: async ({ key }) => {
        started.add(key);
        return key;
      },
      end: async runId => ({ status: 'succeeded', runId, content: `sub-run ${runId}` }),
    },
  });
  for (const key of ['0', '1']) ports.sent.set(`paid ${key}`, { payload: { key } });
  return { ports, asked, started, keyValues };
}

const ofNodes = (events: readonly RunEvent[]) => events.filter(event => 'node' in event);
const endOf = (event: RunEvent): event is NodeEnd => event.type === 'node.succeeded' || event.type === 'node.failed';

/**
 * Returns the parts that must be equal in two executions of a run. For a failed run this is only its status, because timing decides which branch
 * failed first. `hasRaces`: timing also decides contents, so only the status of each node is compared.
 */
function outcome(events: readonly RunEvent[], hasRaces: boolean): unknown {
  const progress = progressOf(events);
  if (progress.status !== 'succeed') return progress.status;
  return hasRaces ? [...progress.nodes].map(([id, { status }]) => [id, status]).sort() : resultOf(progress);
}

describe('random graphs', () => {
  test(
    'end once, run each node once, skip what no live edge leads to and report in a topological order',
    async () => {
      await fc.assert(
        fc.asyncProperty(plans, async list => {
          const data = build(list);
          const graph = compileGraph(data);
          const events = await run(data, { ports: outside(list).ports });
          expect(events.filter(event => event.type.startsWith('run.'))).toEqual([events.at(-1)]);

          const position = new Map<string, number>();
          const seen = new Map<string, { started: number; ended: number; skipped: number }>();
          // The nodes to which the chosen branch of each ended node leads.
          const taken = new Map<string, Set<string>>();
          expect(openNodes(events)).toEqual([]);
          for (const [index, event] of ofNodes(events).entries()) {
            if (event.iteration !== undefined) continue;
            const count = seen.get(event.node) ?? { started: 0, ended: 0, skipped: 0 };
            seen.set(event.node, count);
            const node = graph.byId.get(event.node);
            if (event.type === 'node.started' || event.type === 'node.skipped') {
              // A merge of `first` or `any` starts before all its predecessors have ended.
              const isEarly = node?.arrivals !== undefined && event.type === 'node.started';
              for (const before of isEarly ? [] : (node?.previous ?? []))
                expect(position.get(before.id)).toBeLessThan(index);
              if (isEarly) expect(node.previous.some(before => taken.get(before.id)?.has(event.node))).toBe(true);
              const isLive =
                node?.previous.some(before => taken.get(before.id)?.has(event.node)) || event.node === 'n0';
              expect(isLive).toBe(event.type === 'node.started');
            }
            if (event.type === 'node.started' && event.attempt === 1) count.started++;
            if (event.type === 'node.skipped') count.skipped++;
            if (endOf(event)) count.ended++;
            if (endOf(event) || event.type === 'node.skipped') position.set(event.node, index);
            if (event.type === 'node.succeeded') {
              const next = node?.branches.get(event.branch ?? '');
              taken.set(event.node, new Set(next?.map(follower => follower.id)));
            } else if (event.type === 'node.failed' && event.continued) {
              const isBranch = node?.data.on_error === 'branch';
              const next = isBranch ? node.branches.get('error') : node?.kind.branches ? [] : node?.branches.get('');
              taken.set(event.node, new Set(next?.map(follower => follower.id)));
            }
          }
          const hasSucceeded = events.at(-1)?.type === 'run.succeeded';
          for (const node of graph.nodes) {
            const { started, ended, skipped } = seen.get(node.id) ?? { started: 0, ended: 0, skipped: 0 };
            expect(started).toBe(ended);
            expect(started + skipped).toBeLessThanOrEqual(1);
            if (!node.isReachable) expect(started + skipped).toBe(0);
            else if (hasSucceeded) expect(started + skipped).toBe(1);
          }
        }),
        { numRuns: PROPERTY_RUNS },
      );
    },
    PROPERTY_MS,
  );

  test(
    'have the same result when the process dies after any event, and repeat no recorded call',
    async () => {
      await fc.assert(
        fc.asyncProperty(plans, fc.nat(), fc.boolean(), async (list, seed, isDurableOnly) => {
          const data = build(list);
          const { ports: first, keyValues } = outside(list);
          const whole = await run(data, { ports: first });
          const cut = seed % whole.length;
          const asked = new Map<string, number>();
          const answered = new Set<string>();
          const before: RunEvent[] = [];
          for (const event of whole.slice(0, cut)) {
            // A recorder must have committed the durable events; the others may be lost with the process.
            if (!isDurableOnly || 'durable' in event) before.push(event);
            if (event.type === 'node.started') asked.set(urlOf(event.node, event.iteration), event.attempt);
            if (endOf(event) && 'durable' in event) answered.add(urlOf(event.node, event.iteration));
          }
          const { ports } = outside(list, asked, keyValues);
          const after = await run(data, { ports, recorded: before });
          const hasRaces = compileGraph(data).nodes.some(node => node.arrivals !== undefined);
          expect([...keyValues.stored.values()].filter(value => value !== 1)).toEqual([]);
          expect(outcome([...before, ...after], hasRaces)).toEqual(outcome(whole, hasRaces));
          expect(ports.asked.filter(request => answered.has(request.url))).toEqual([]);
          expect(after.filter(event => event.type.startsWith('run.'))).toHaveLength(1);
          const finished = new Set(before.filter(endOf).map(event => urlOf(event.node, event.iteration)));
          expect(ofNodes(after).filter(event => finished.has(urlOf(event.node, event.iteration)))).toEqual([]);
          expect(openNodes([...before, ...after])).toEqual([]);
        }),
        { numRuns: PROPERTY_RUNS },
      );
    },
    PROPERTY_MS,
  );
});
