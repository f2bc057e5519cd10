import { TemplateError } from '../../expressions/expression.js';
import { Content } from '../../expressions/scope.js';
import { LateValue } from '../../expressions/template.js';
import { isObject, type JsonObject, parseJsonText } from '../../json-value.js';
import { cutText } from '../../text/cut-text.js';
import type { Graph, GraphNode } from '../graph/graph.js';
import type { NodeScope } from '../graph/node-kind.js';
import { prepareNode } from '../graph/prepared-node.js';
import { continuationOf } from '../run/failure-policy.js';
import { type RecordedLevel, type RecordedLevels, toRecordedLevels } from '../run/recorded-state.js';
import type { RunEvent } from '../run/run-event.js';
import { NodeResults, RunScope } from '../run/run-scope.js';
import { keyOf } from './replay-record.js';

/** Maximum bytes of the resolved settings of a node as JSON. Longer texts in them are cut, with a note. */
export const MAX_INPUT_BYTES = 64 * 1024;

/** Maximum bytes of each text in large settings. The first limit that makes the whole small enough is used. */
const TEXT_BYTES = [16_384, 4_096, 1_024, 256];

/**
 * The settings with which nodes of a run were executed. They are computed from the journal as a worker that resumes the
 * run does, so that the journal need not contain them. Masks in the journal remain masks.
 */
export class ResolvedInputs {
  readonly #levels: RecordedLevels;
  /** Start of the last attempt, by `keyOf`. */
  readonly #startedAt = new Map<string, string>();

  constructor(
    private readonly run: { runId: string; graph: Graph },
    events: readonly RunEvent[],
  ) {
    this.#levels = toRecordedLevels(events);
    for (const event of events) if (event.type === 'node.started') this.#startedAt.set(keyOf(event), event.at);
  }

  /**
   * Returns the settings of a node after its placeholders were replaced. Undefined if it did not start, takes no
   * settings, or its placeholders had no value.
   */
  inputOf(nodeId: string, iteration: string): unknown {
    const path = pathTo(this.run.graph, nodeId);
    const iterations = iteration === '' ? [] : iteration.split('.');
    if (!path || path.loops.length !== iterations.length || !this.#startedAt.has(keyOf({ node: nodeId, iteration })))
      return undefined;
    const scope = this.#scopeOf(path, iterations);
    try {
      const settings = prepareNode(path.node).template.render(scope);
      return isObject(settings) && Object.keys(settings).length > 0
        ? limitBytes(withoutLateValues(settings))
        : undefined;
    } catch (error) {
      if (error instanceof TemplateError) return undefined;
      throw error;
    }
  }

  #scopeOf({ node, loops }: NodePath, iterations: readonly string[]): NodeScope {
    let outer: NodeScope | undefined;
    let { graph } = this.run;
    for (const [depth, loop] of loops.entries()) {
      outer = this.#levelScope(graph, loop, iterations.slice(0, depth).join('.'), outer);
      graph = loop.body!;
    }
    return this.#levelScope(graph, node, iterations.join('.'), outer);
  }

  #levelScope(graph: Graph, reader: GraphNode, iteration: string, outer: NodeScope | undefined): NodeScope {
    const level = this.#levels.get(iteration);
    const now = this.#startedAt.get(keyOf({ node: reader.id, iteration })) ?? '';
    return new RunScope(
      { runId: this.run.runId, graph, input: graphInput(graph, level), reader, now, outer, iteration },
      resultsOf(graph, level),
    );
  }
}

interface NodePath {
  node: GraphNode;
  /** The loops around the node, outermost first. */
  loops: readonly GraphNode[];
}

function pathTo(graph: Graph, nodeId: string): NodePath | undefined {
  const node = graph.byId.get(nodeId);
  if (node) return { node, loops: [] };
  for (const loop of graph.nodes) {
    const inner = loop.body && pathTo(loop.body, nodeId);
    if (inner) return { node: inner.node, loops: [loop, ...inner.loops] };
  }
  return undefined;
}

function resultsOf(graph: Graph, level: RecordedLevel | undefined): NodeResults {
  const results = new NodeResults(graph, level);
  for (const [id, end] of level?.finished ?? []) {
    const node = graph.byId.get(id);
    if (!node) continue;
    if ('content' in end) results.contents[node.index] = new Content(end.content);
    else {
      results.errors.set(node.index, { ...end.error, status: end.status ?? null, attempts: end.attempts ?? 1 });
      results.contents[node.index] = continuationOf(node)?.content;
    }
  }
  return results;
}

/** Returns the input of a graph, which is the content of its trigger. */
function graphInput({ start }: Graph, level: RecordedLevel | undefined): JsonObject {
  const end = level?.finished.get(start.id);
  const input = end && 'content' in end ? parseJsonText(end.content) : undefined;
  return isObject(input) ? input : {};
}

/** Removes the settings that the node renders itself at each use, for example the request of an agent's tool. */
function withoutLateValues(value: unknown): unknown {
  if (value instanceof LateValue) return undefined;
  if (Array.isArray(value)) return value.map(withoutLateValues);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutLateValues(member)]));
}

function limitBytes(value: unknown): unknown {
  if (bytesOf(value) <= MAX_INPUT_BYTES) return value;
  for (const max of TEXT_BYTES) {
    const shorter = withCutTexts(value, max);
    if (bytesOf(shorter) <= MAX_INPUT_BYTES) return shorter;
  }
  return cutText(JSON.stringify(value), MAX_INPUT_BYTES);
}

function withCutTexts(value: unknown, maxBytes: number): unknown {
  if (typeof value === 'string') return cutText(value, maxBytes);
  if (Array.isArray(value)) return value.map(item => withCutTexts(item, maxBytes));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withCutTexts(member, maxBytes)]));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
