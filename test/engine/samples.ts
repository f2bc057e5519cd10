import type { JsonObject } from '../../src/engine/json-value.js';
import { compileGraph } from '../../src/engine/workflow/graph/graph.js';
import { toRecordedLevels } from '../../src/engine/workflow/run/recorded-state.js';
import { runWorkflow } from '../../src/engine/workflow/run/run.js';
import type { RunEvent, RunSuspended } from '../../src/engine/workflow/run/run-event.js';
import type { RunLimits, RunOptions } from '../../src/engine/workflow/run/run-options.js';
import { type FakePorts, fakePorts } from './fake-ports.js';

type SampleNode = { id: string; type: string; data: JsonObject };

const node =
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
export const http = (id: string, data: JsonObject = {}) =>
  node('http-node')(id, { url: `http://outside/${id}`, ...data });
export const llm = (id: string, message: string, data: JsonObject = {}) =>
  node('basic-node')(id, { messages: [{ role: 'user', message }], settings: { model_name: 'echo' }, ...data });

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

export interface Run {
  input?: JsonObject;
  ports?: FakePorts;
  recorded?: readonly RunEvent[];
  isUninterrupted?: boolean;
  signal?: AbortSignal;
  limits?: RunLimits;
  onSignal?: RunOptions['onSignal'];
  secrets?: RunOptions['secrets'];
}

export function start(
  data: unknown,
  { input = {}, ports = fakePorts(), recorded, isUninterrupted, signal, limits, onSignal, secrets }: Run = {},
) {
  return runWorkflow({
    graph: compileGraph(data),
    input,
    runId: 'run-1',
    ports,
    signal: signal ?? new AbortController().signal,
    ...(recorded ? { recorded: toRecordedLevels(recorded) } : {}),
    ...(isUninterrupted ? { isUninterrupted } : {}),
    ...(limits ? { limits } : {}),
    ...(onSignal ? { onSignal } : {}),
    ...(secrets ? { secrets } : {}),
  });
}

/** One execution: its events, and its suspension when it ended in one. */
export async function execution(data: unknown, options: Run = {}) {
  const events: RunEvent[] = [];
  let suspended: RunSuspended | undefined;
  for await (const event of start(data, options)) {
    if (event.type === 'run.suspended') suspended = event;
    else events.push(event);
  }
  return { events, suspended };
}

/** A whole run: one that is suspended goes on at the time it asks for. */
export async function run(
  data: unknown,
  { recorded = [], ports = fakePorts(), ...options }: Run = {},
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
 * Events in short: `+a` started, `a=content`, `a!code`, `a~` retrying, `-a` skipped, `run=output`, `run!code`,
 * `+a/s` and `a/s=content` for steps, `a/s…kind` waiting, `[0]a` in the first round of a loop.
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
