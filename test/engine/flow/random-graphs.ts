import fc from 'fast-check';
import type { JsonObject } from '../../../src/engine/json-value.js';
import type { ModelAnswer, ModelRequest } from '../../../src/engine/ports.js';
import { type CachedAnswer, withCachedAnswers } from '../../../src/engine/workflow/nodes/ai/cached-answers.js';
import { echoMedia } from '../../../src/providers/llm/echo-media.js';
import { fakeFiles, fakeKeyValues, fakePorts, upstreamDown, usageOf } from '../fake-ports.js';
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
  set,
  subworkflow,
  switchNode,
  template,
  trigger,
  wait,
  workflow,
} from '../samples.js';

/** The kinds of the random graphs; several of them are the same kind of node with other settings. */
export const planKinds = [
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
  ...(['basic', 'remember', 'mcp', 'search', 'scenario', 'event', 'note'] as const),
  ...(['join', 'repeat', 'matches', 'until', 'schema', 'cached', 'variables'] as const),
] as const;
/** The tests compare no contents of graphs with `first` or `any`, because timing decides them. */
const mergeModes = ['all', 'append', 'zip', 'first', 'any'];

/** One node of a random graph. */
export interface Plan {
  kind: (typeof planKinds)[number];
  /** Selects the predecessors among the earlier nodes, and the branches that lead from them. */
  from: { node: number; branch: number; isError: boolean }[];
  onError: 'fail' | 'continue' | 'retry' | 'branch' | 'default';
  /** Attempts that fail before one succeeds. */
  failures: number;
  latency: number;
  value: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  kind: fc.constantFrom(...planKinds),
  from: fc.array(fc.record({ node: fc.nat(1000), branch: fc.nat(2), isError: fc.boolean() }), {
    minLength: 0,
    maxLength: 3,
  }),
  onError: fc.constantFrom('fail', 'continue', 'retry', 'branch', 'default'),
  // Repeated values are chosen more often.
  failures: fc.constantFrom(0, 0, 0, 0, 1, Number.POSITIVE_INFINITY),
  latency: fc.nat(20),
  value: fc.nat(2),
});
export const plans = fc.array(plan, { minLength: 1, maxLength: 14 });

/** For the kinds with several outputs: the handle that each value of `branch` selects. */
const branchNames: Partial<Record<Plan['kind'], string[]>> = {
  if: ['condition-true', 'condition-false', 'condition-true'],
  switch: ['case-0', 'case-1', 'default'],
  matches: ['case-0', 'case-1', 'default'],
  classifier: ['label-0', 'label-1', 'low-confidence'],
  approval: ['approved', 'rejected', 'expired'],
  wait: ['received', 'expired', 'received'],
};

/** Builds the graph of plans: the node `n0` is the trigger, `n1` the node of the first plan. */
export function build(items: readonly Plan[]): JsonObject {
  const nodes = [trigger('n0')];
  const edges = new Set<string>();
  items.forEach((item, at) => {
    const id = `n${at + 1}`;
    // With `branch` and `default`, a run can succeed although every attempt of a node fails. Such a node has no retries:
    // if the process dies in the last attempt, the error would be `interrupted` instead of the error of the service.
    const hasRetry = item.onError === 'retry' || Number.isFinite(item.failures);
    const retry = { attempts: 3, delay_seconds: 1, backoff: 'exponential', jitter: true };
    // A default of these kinds must select an output.
    const defaults: Partial<Record<Plan['kind'], string>> = { classifier: 'l1', approval: 'approved' };
    const policy = {
      on_error: item.onError,
      default_value: defaults[item.kind] ?? `no ${id}`,
      ...(hasRetry ? { retry } : {}),
    };
    const nodeOf = (type: string, data: JsonObject) => ({ id, type, data: { ...data, ...policy } });
    const builders = {
      http: () => http(id, policy),
      file: () => ({ id, type: 'file-node', data: { operation: 'write', content: `${id}`, ...policy } }),
      template: () => template(id, { template: `${id}:{{ previous.content }}`, ...policy }),
      if: () => ifElse(id, { condition: { left: item.value, operator: '>', right: 0 }, ...policy }),
      switch: () => switchNode(id, { value: item.value, cases: [{ equals: 0 }, { equals: '1' }], ...policy }),
      output: () => output(id, policy),
      delay: () => delay(id, [0, 0.5, 3600][item.value], policy),
      // The nodes of the body have the policy, because a retried loop repeats all its calls.
      loop: () => {
        // A random number of the plan selects the policy. If every attempt of a retried node fails, the run must fail too: see above.
        const isRetriedInVain = item.onError === 'retry' && item.failures === Number.POSITIVE_INFINITY;
        const on_item_error = isRetriedInVain ? 'stop' : ['stop', 'skip', 'collect'][item.latency % 3];
        const batch_size = item.latency % 4 === 3 ? 2 : undefined;
        const body = loopBody(`${id}r`, policy);
        return loop(id, '[0,1,2]', { body, batch_size, concurrency: item.value + 1, on_item_error });
      },
      // With the value 2 it fails in each process, because it needs too many iterations.
      repeat: () =>
        loop(id, undefined, {
          ...{ body: loopBody(`${id}r`, policy), max_rounds: 4 },
          ...(item.value === 0 ? { repeat: 'while' } : { repeat: 'until' }),
          condition: { left: '{{ args.index }}', operator: item.value === 0 ? '<' : '>=', right: item.value * 3 || 2 },
        }),
      // All its contents come from two tables, to which the edges of its plan lead.
      join: () => {
        nodes.push(csv(`${id}a`, `a,b\n1,${item.value}\n2,x`), csv(`${id}b`, 'a,c\n2,y\n3,z'));
        return merge(id, { mode: 'by_key', key: 'a', ...policy });
      },
      matches: () => {
        const cases = [{ operator: '>=', right: 0 }, { equals: '1' }, { equals: 7 }];
        const value = item.value === 2 ? -1 : item.value;
        return switchNode(id, { value, cases, match: 'all', ...policy });
      },
      // A past time, a time of day, and a time with an offset.
      until: () =>
        nodeOf('delay-node', { until: ['2026-01-01T00:00:00Z', '03:06', '2026-01-02T05:00:00+01:00'][item.value] }),
      // The model repeats the text. The largest value does not conform: the node asks twice and fails.
      schema: () => nodeOf('basic-node', { ...asking(String(item.value)), output_schema: { maximum: 1 } }),
      cached: () => nodeOf('basic-node', { ...asking(`${CACHED}${id}`), cache_seconds: 60 }),
      variables: () =>
        template(id, { template: [0, 1, 2].map(each => `{{ vars.v${each} | default: "" }}`).join(), ...policy }),
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
      approval: () => approval(id, { approval_timeout_seconds: item.value + 1, ...policy }),
      csv: () => csv(id, `a,b\n1,${item.value}`, policy),
      respond: () => respond(id, policy),
      // The script has no effect outside its thread, so it can be repeated after the process dies.
      code: () => code(id, `return ${item.value}`, policy),
      // Reads the usage of a model, which a resumed run knows from its journal.
      usage: () => template(id, { template: usagesBefore(items, at), ...policy }),
      // An event for two of the three keys has been sent.
      wait: () => wait(id, 'paid', String(item.value), { event_timeout_seconds: 60, ...policy }),
      extractor: () => extractor(id, `{"value": ${item.value}}`, policy),
      graphql: () => nodeOf('graphql-node', { url: urlOf(id), query: '{ a }' }),
      rss: () => nodeOf('rss-node', { url: urlOf(id) }),
      html: () => nodeOf('html-extract-node', { html: '<b>x</b>', fields: [{ name: 'a', selector: 'b' }] }),
      database: () => nodeOf('database-node', { connection: `postgres://user@outside/${id}`, query: 'select 1' }),
      email: () => nodeOf('email-node', { connection: `smtp://${id}`, from: 'a@b.c', to: 'd@e.f' }),
      // The model of the test repeats the text.
      embedding: () => nodeOf('embedding-node', { input: '[[1]]', settings: { model_name: 'echo' } }),
      image: () => nodeOf('image-node', { prompt: 'A cat', settings: { model_name: 'echo' } }),
      speech: () => nodeOf('speech-node', { text: 'Hello', settings: { model_name: 'echo' } }),
      transcription: () => nodeOf('transcription-node', { file: RECORDING, settings: { model_name: 'echo' } }),
      // Hands over to an agent to which no edge leads, which answers.
      agent: () => {
        nodes.push({ id: `${id}s`, type: 'agent-node', data: asking(id) });
        return nodeOf('agent-node', { ...asking(id), handoffs: [`${id}s`] });
      },
      // Each node has a key of its own, whose value is 1 if the change is applied once.
      count: () => nodeOf('key-value-node', { operation: 'increment', key: id }),
      // The calls of this model are counted, and fail, like HTTP requests to the address of the node.
      basic: () => nodeOf('basic-node', asking(`${CALL}${id}`)),
      // Reads the conversation and asks the model in steps.
      remember: () => nodeOf('basic-node', { ...asking(id), memory: {}, fallback_models: ['echo'] }),
      mcp: () => nodeOf('mcp-node', { endpoint_url: urlOf(id), tool: 'say' }),
      search: () => nodeOf('search-node', { query: id }),
      scenario: () => nodeOf('scenario-node', { scenario_id: at + 1 }),
      event: () => nodeOf('send-event-node', { event: 'done', correlation_key: id }),
      note: () => ({ id, type: 'note-node', data: { text: id } }),
    };
    for (const { node, branch, isError } of item.from) {
      const source = node % (at + 1);
      const before = source === 0 ? undefined : items[source - 1];
      // Notes have no edges.
      if (item.kind === 'note' || before?.kind === 'note') continue;
      const usual = before && branchNames[before.kind]?.[branch];
      const handle = before?.onError === 'branch' && isError ? 'error' : usual;
      const targets = item.kind === 'join' ? [`${id}a`, `${id}b`] : [id];
      for (const target of targets) edges.add(`n${source}${handle ? `:${handle}` : ''}>${target}`);
    }
    if (item.kind === 'join') for (const table of ['a', 'b']) edges.add(`${id}${table}>${id}`);
    nodes.push(builders[item.kind]());
  });
  return workflow(nodes, [...edges], { start_node: 'n0' });
}

/** Prefix of a message to a model whose calls are counted, and fail, by the plan of its node. The id of the node follows. */
const CALL = 'call ';
/** Prefix of a message whose answer is cached. */
const CACHED = 'cached ';
/** What people decide about all requests of a graph, by the value of its first approval. Without a decision the requests expire. */
const DECISIONS = [undefined, 'approved', 'rejected'] as const;

function asking(message: string): JsonObject {
  return { messages: [{ role: 'user', message }], settings: { model_name: 'echo' } };
}

/** Placeholders for the tokens that predecessors of these four kinds have used. */
function usagesBefore(items: readonly Plan[], at: number): string {
  const before = new Set<number>([at]);
  // The set grows during iteration, so this collects all predecessors.
  for (const each of before)
    for (const { node } of items[each]?.from ?? []) if (node % (each + 1) > 0) before.add((node % (each + 1)) - 1);
  const ids = [...before].filter(each =>
    ['classifier', 'extractor', 'basic', 'remember'].includes(items[each]?.kind ?? ''),
  );
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
export const urlOf = (node: string, iteration = '') =>
  `http://outside/${node}${iteration === '' ? '' : `/${iteration}`}`;

/** Values of `on_error` with which a node uses its retry settings. */
const RETRYING = ['retry', 'branch', 'default'];

/** The state of external services that outlives a process. */
interface ServiceState {
  /** The number of calls by address. */
  callCounts: Map<string, number>;
  keyValues: ReturnType<typeof fakeKeyValues>;
  /** Sent events by their keys. */
  sent: Map<string, unknown>;
  /** Cached answers of models by their requests. */
  answers: Map<string, CachedAnswer>;
}

/** External services of a plan. An answer depends on the plan and on the number of the call, never on time. */
export function externalServices(
  items: readonly Plan[],
  {
    callCounts = new Map<string, number>(),
    keyValues = fakeKeyValues(),
    sent = new Map<string, unknown>(),
    answers = new Map<string, CachedAnswer>(),
  }: Partial<ServiceState> = {},
) {
  const started = new Set<string>();
  const planOf = (url: string) => items[Number.parseInt(url.split('/n')[1] ?? '', 10) - 1];
  /** Counts a call. Returns whether it fails. */
  const isDown = (url: string) => {
    const count = (callCounts.get(url) ?? 0) + 1;
    callCounts.set(url, count);
    const { failures, onError } = planOf(url) ?? { failures: 0, onError: 'fail' };
    // After the process dies during a call, the call is repeated and the count continues. Without retries, the result
    // would depend on that if only the first call failed. So all calls fail.
    return count <= (RETRYING.includes(onError) || failures === 0 ? failures : Number.POSITIVE_INFINITY);
  };
  /** A call over another protocol, recorded like one over HTTP. Returns its failure. */
  const call = (connection: string) => {
    const url = urlOf(/n\d+$/.exec(connection)?.[0] ?? '');
    ports.httpRequests.push({ url } as (typeof ports.httpRequests)[number]);
    return isDown(url) ? upstreamDown() : undefined;
  };
  const bodies: Partial<Record<Plan['kind'], string>> = {
    graphql: '{"data":{"a":1}}',
    rss: '<rss version="2.0"><channel><title>T</title><item><title>A</title></item></channel></rss>',
  };
  const ports: ReturnType<typeof fakePorts> = fakePorts({
    keyValues,
    llm: request => {
      const last = request.messages.at(-1)?.content ?? '';
      if (!last.startsWith(CALL)) return modelAnswer(request);
      return call(last) ?? modelAnswer(request);
    },
    conversations: {
      read: async () => [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
      ],
    },
    mcp: {
      callTool: async ({ endpointUrl }) => {
        const fault = call(endpointUrl);
        if (fault) throw fault;
        return { content: [{ type: 'text', text: 'said' }], isError: false, schemaHash: 'h' };
      },
    },
    search: async ({ query }) => {
      const fault = call(query);
      if (fault) throw fault;
      return [{ document: 1, filename: 'a.txt', page: null, text: query, score: 1 }];
    },
    scenarios: {
      start: async ({ key }) => {
        started.add(key);
        return key;
      },
      findEnd: async runId => ({ status: 'succeeded', runId, content: `scenario run ${runId}` }),
    },
    files: filesWithRecording(),
    http: ({ url }) =>
      isDown(url) ? upstreamDown() : { body: bodies[planOf(url)?.kind ?? 'http'] ?? `answer of ${url}` },
    databases: {
      query: async ({ connection }) => {
        const fault = call(connection);
        if (fault) throw fault;
        return { rows: [{ a: 1 }], rowCount: 1, columns: ['a'], isTruncated: false };
      },
    },
    email: {
      send: async ({ connection, to }) => {
        const fault = call(connection);
        if (fault) throw fault;
        return { messageId: '<m>', accepted: to.map(({ address }) => address), rejected: [] };
      },
    },
    latency: ({ url }) => planOf(url)?.latency ?? 0,
    runs: {
      start: async ({ key }) => {
        started.add(key);
        return key;
      },
      findEnd: async runId => ({ status: 'succeeded', runId, content: `sub-run ${runId}` }),
    },
  });
  ports.events.send = async event => {
    sent.set(event.idempotencyKey, event);
    return `event of ${event.key}`;
  };
  const cacheKey = ({ messages }: ModelRequest) => JSON.stringify(messages);
  const cachedModel = withCachedAnswers(ports.llm, {
    find: async request => answers.get(cacheKey(request)) ?? null,
    keep: async (request, answer) => void answers.set(cacheKey(request), answer),
  });
  const decision = DECISIONS[items.find(({ kind }) => kind === 'approval')?.value ?? 0];
  const asked = new Set<string>();
  // The decision arrives after the run has been suspended.
  const findDecision = async (id: string) => (decision && asked.size === asked.add(id).size ? { decision } : undefined);
  Object.assign(ports, { llm: cachedModel, approvals: { ...ports.approvals, findDecision } });
  for (const key of ['0', '1']) ports.sent.set(`paid ${key}`, { payload: { key } });
  return { ports, callCounts, started, keyValues, sent, answers };
}
