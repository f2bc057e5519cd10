import type { Content, ErrorValue } from '../../src/engine/expressions/scope.js';
import type { JsonObject } from '../../src/engine/json-value.js';
import { compileGraph } from '../../src/engine/workflow/graph/graph.js';
import { toRecordedLevels } from '../../src/engine/workflow/run/recorded-state.js';
import { runWorkflow } from '../../src/engine/workflow/run/run.js';
import type { RunEvent, RunSuspended } from '../../src/engine/workflow/run/run-event.js';
import type { RunLimits, RunOptions } from '../../src/engine/workflow/run/run-options.js';
import type { NodeResults } from '../../src/engine/workflow/run/run-scope.js';
import { type FakePorts, fakePorts } from './fake-ports.js';

type SampleNode = { id: string; type: string; data: JsonObject };

export const node =
  (type: string) =>
  (id: string, data: JsonObject = {}): SampleNode => ({ id, type, data });

export const trigger = node('trigger-node');
export const ifElse = node('if-else-node');
export const switchNode = node('switch-node');
export const template = node('template-node');
export const output = node('output-node');
export const delay = (id: string, seconds: unknown, data: JsonObject = {}) =>
  node('delay-node')(id, { seconds, ...data });
export const subworkflow = (id: string, data: JsonObject) => node('subworkflow-node')(id, data);
export const loop = (id: string, items: unknown, data: JsonObject) => node('loop-node')(id, { items, ...data });
export const merge = (id: string, data: JsonObject = {}) => node('merge-node')(id, data);
export const set = (id: string, values: JsonObject, data: JsonObject = {}) => node('set-node')(id, { values, ...data });
export const list = (id: string, items: unknown, operations: JsonObject[], data: JsonObject = {}) =>
  node('list-node')(id, { items, operations, ...data });
export const approval = (id: string, data: JsonObject = {}) =>
  node('approval-node')(id, { title: `Approve ${id}?`, ...data });
export const wait = (id: string, event: string, key: string, data: JsonObject = {}) =>
  node('wait-node')(id, { event, correlation_key: key, ...data });
export const sendEvent = (id: string, event: string, data: JsonObject = {}) =>
  node('send-event-node')(id, { event, ...data });
export const csv = (id: string, input: string, data: JsonObject = {}) => node('csv-node')(id, { input, ...data });
export const code = (id: string, script: string, data: JsonObject = {}) =>
  node('code-node')(id, { code: script, ...data });
export const respond = node('respond-node');
export const note = node('note-node');
export const http = (id: string, data: JsonObject = {}) =>
  node('http-node')(id, { url: `http://outside/${id}`, ...data });
export const llm = (id: string, message: string, data: JsonObject = {}) =>
  node('basic-node')(id, { messages: [{ role: 'user', message }], settings: { model_name: 'echo' }, ...data });

export const extractor = (id: string, text: string, data: JsonObject = {}) =>
  node('extractor-node')(id, { text, settings: { model_name: 'echo' }, output_schema: {}, ...data });
export const classifier = (id: string, text: string, data: JsonObject = {}) =>
  node('classifier-node')(id, { text, settings: { model_name: 'echo' }, ...data });

/** `a>b` is an edge; `a:condition-true>b` one with a `sourceHandle`. */
export function workflow(nodes: readonly SampleNode[], edges: string[] = [], more: JsonObject = {}): JsonObject {
  return {
    nodes: nodes.map(each => ({ ...each, position: { x: 0, y: 0 }, data: { id: each.id, ...each.data } })),
    edges: edges.map((edge, index) => {
      const [from = '', target = ''] = edge.split('>');
      const [source = '', sourceHandle] = from.split(':');
      return { id: `e${index}`, type: 'custom-edge', source, target, ...(sourceHandle ? { sourceHandle } : {}) };
    }),
    viewport: { x: 0, y: 0, zoom: 1 },
    ...more,
  };
}

export interface SampleRunOptions {
  input?: JsonObject;
  ports?: FakePorts;
  recorded?: readonly RunEvent[];
  isUninterrupted?: boolean;
  signal?: AbortSignal;
  limits?: RunLimits;
  onSignal?: RunOptions['onSignal'];
  secrets?: RunOptions['secrets'];
  runId?: string;
  workflowId?: number;
  environment?: RunOptions['environment'];
  digest?: RunOptions['digest'];
  replay?: RunOptions['replay'];
}

export function start(
  data: unknown,
  {
    input = {},
    ports = fakePorts(),
    recorded,
    isUninterrupted,
    signal,
    limits,
    onSignal,
    secrets,
    runId = 'run-1',
    workflowId,
    environment,
    digest,
    replay,
  }: SampleRunOptions = {},
) {
  return runWorkflow({
    graph: compileGraph(data),
    input,
    runId,
    ports,
    signal: signal ?? new AbortController().signal,
    ...(recorded ? { recorded: toRecordedLevels(recorded) } : {}),
    ...(isUninterrupted ? { isUninterrupted } : {}),
    ...(limits ? { limits } : {}),
    ...(onSignal ? { onSignal } : {}),
    ...(secrets ? { secrets } : {}),
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(environment ? { environment } : {}),
    ...(digest ? { digest } : {}),
    ...(replay ? { replay } : {}),
  });
}

/** One execution: its events, and its suspension when it ended in one. */
export async function execution(data: unknown, options: SampleRunOptions = {}) {
  const events: RunEvent[] = [];
  let suspended: RunSuspended | undefined;
  for await (const event of start(data, options)) {
    if (event.type === 'run.suspended') suspended = event;
    else events.push(event);
  }
  return { events, suspended };
}

/** A whole run: a suspended run continues at the time it asks for. */
export async function run(
  data: unknown,
  { recorded = [], ports = fakePorts(), ...options }: SampleRunOptions = {},
): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (;;) {
    const known = [...recorded, ...events];
    const { events: more, suspended } = await execution(data, {
      ...options,
      ports,
      ...(known.length > 0 ? { recorded: known } : {}),
    });
    events.push(...more);
    if (!suspended) return events;
    if (suspended.until === null) throw new Error('the run waits for something that never comes');
    ports.clock.time = Math.max(ports.clock.time, Date.parse(suspended.until));
  }
}

/**
 * Events in short: `+a` started, `+a2` its second attempt, `a=content`, `a!code`, `a~1` a retry after its first attempt, `-a` skipped,
 * `run=output`, `run!code`, `run…time` suspended until then, `+a/s` and `a/s=content` for steps, `a/s…kind` waiting, `[0]a` in the first
 * iteration of a loop.
 */
export function short(events: readonly (RunEvent | RunSuspended)[]): string[] {
  return events.map(inShort);
}

function inShort(event: RunEvent | RunSuspended): string {
  return `${'iteration' in event && event.iteration !== undefined ? `[${event.iteration}]` : ''}${plain(event)}`;
}

function plain(event: RunEvent | RunSuspended): string {
  switch (event.type) {
    case 'node.started':
      return `+${event.node}${event.attempt === 1 ? '' : event.attempt}`;
    case 'node.retrying':
      return `${event.node}~${event.attempt}`;
    case 'node.succeeded':
      return `${event.node}=${event.content}`;
    case 'node.failed':
      return `${event.node}!${event.error.code}${event.continued ? ' continued' : ''}`;
    case 'node.skipped':
      return `-${event.node}`;
    case 'node.step.started':
      return `+${event.node}/${event.step}`;
    case 'node.step.succeeded':
      return `${event.node}/${event.step}=${event.content}`;
    case 'node.waiting':
      return `${event.node}/${event.step}…${event.wait.kind}`;
    case 'run.suspended':
      return `run…${event.until}`;
    case 'run.succeeded':
      return `run=${JSON.stringify(event.output)}`;
    case 'run.failed':
      return `run!${event.error.code}`;
  }
}

/** Results of nodes as `RunScope` reads them, by node index. */
export function resultsOf(
  contents: (Content | undefined)[],
  errors: Map<number, ErrorValue> = new Map(),
): Pick<NodeResults, 'contents' | 'errors' | 'usages' | 'responses'> {
  return { contents, errors, usages: new Map(), responses: new Map() };
}
