import type { JsonObject } from '../../src/engine/json-value.js';
import { compileGraph } from '../../src/engine/workflow/graph.js';
import { recordedFrom } from '../../src/engine/workflow/progress.js';
import { runWorkflow } from '../../src/engine/workflow/run.js';
import type { RunEvent } from '../../src/engine/workflow/run-event.js';
import type { RunLimits } from '../../src/engine/workflow/run-options.js';
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
  signal?: AbortSignal;
  limits?: RunLimits;
}

export function start(data: unknown, { input = {}, ports = fakePorts(), recorded, signal, limits }: Run = {}) {
  return runWorkflow({
    graph: compileGraph(data),
    input,
    runId: 'run-1',
    ports,
    signal: signal ?? new AbortController().signal,
    ...(recorded ? { recorded: recordedFrom(recorded) } : {}),
    ...(limits ? { limits } : {}),
  });
}

export async function run(data: unknown, options: Run = {}): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of start(data, options)) events.push(event);
  return events;
}

/** Events in short: `+a` started, `a=content`, `a!code`, `a~` retrying, `-a` skipped, `run=output`, `run!code`. */
export function short(events: readonly RunEvent[]): string[] {
  return events.map(inShort);
}

function inShort(event: RunEvent): string {
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
    case 'run.succeeded':
      return `run=${JSON.stringify(event.output)}`;
    case 'run.failed':
      return `run!${event.error.code}`;
  }
}
