import { isOfResponse } from '../../expressions/references.js';
import { Content, type ErrorValue } from '../../expressions/scope.js';
import type { HttpResponse } from '../../http-port.js';
import { isObject, type JsonObject, setOwn } from '../../json-value.js';
import type { Graph, GraphNode } from '../graph/graph.js';
import { nodesWithin } from '../graph/node-checks.js';
import type { NodeScope } from '../graph/node-kind.js';
import { prepareNode } from '../graph/prepared-node.js';
import { addUsage, type NodeUsage } from './node-usage.js';
import type { RecordedLevel } from './recorded-state.js';
import type { UntimedEvent } from './run-event.js';

const declaredFields = new WeakMap<Graph, ReadonlySet<string>>();

/** What `RunScope` needs in addition to the results of nodes. */
export interface ScopeParts {
  runId: string;
  graph: Graph;
  input: Readonly<JsonObject>;
  /** The node that reads the values. */
  reader: GraphNode;
  /** Start time of the attempt of the reader, as ISO 8601. Equal when the attempt is executed again after a resumption. */
  now: string;
  /** The predecessors that have arrived at a node that does not wait for all, in order. Absent: it waits for all. */
  arrivals?: readonly GraphNode[] | undefined;
  /** Scope of the enclosing loop. */
  outer?: NodeScope | undefined;
  /** Iterations of the enclosing loops. Absent: outside of loops. */
  iteration?: string;
  /** Values that are equal in the whole run. */
  run?: RunValues;
  /** Called for each node whose result is read. Absent: reads are not observed. */
  onRead?: ((node: GraphNode, iteration: string) => void) | undefined;
}

/** Values that all nodes of a run can read. */
export interface RunValues {
  /** Id of the workflow; null: not stored. Absent: unknown. */
  readonly workflowId?: number | null;
  /** Time of the first event of the run, as ISO 8601. Absent: there is none yet. */
  readonly startedAt?: string;
  /** Values of project variables by name, secrets in plaintext. Absent: none. */
  readonly environment?: ReadonlyMap<string, string>;
}

/** The values that placeholders of one node resolve to in one run. */
export class RunScope implements NodeScope {
  constructor(
    private readonly parts: ScopeParts,
    private readonly results: Pick<NodeResults, 'contents' | 'errors' | 'usages' | 'responses'>,
  ) {}

  get input(): Readonly<JsonObject> {
    return this.parts.input;
  }

  get declared(): ReadonlySet<string> {
    const { graph } = this.parts;
    let names = declaredFields.get(graph);
    if (!names) {
      names = new Set(graph.inputFields.map(field => field.id));
      declaredFields.set(graph, names);
    }
    return names;
  }

  get runId(): string {
    return this.parts.runId;
  }

  get now(): string {
    return this.parts.now;
  }

  get workflowId(): number | null | undefined {
    return this.parts.run?.workflowId;
  }

  get startedAt(): string | undefined {
    return this.parts.run?.startedAt;
  }

  env(name: string): string | undefined {
    return this.parts.run?.environment?.get(name);
  }

  get seed(): string {
    const { runId, reader, iteration = '' } = this.parts;
    return JSON.stringify([runId, reader.id, iteration]);
  }

  node(id: string): Content | undefined {
    const { graph, outer } = this.parts;
    const node = graph.byId.get(id);
    return node ? this.#read(node) : outer?.node(id);
  }

  errorOf(id: string): ErrorValue | undefined {
    const node = this.#readOwn(id);
    return node ? this.results.errors.get(node.index) : this.parts.outer?.errorOf?.(id);
  }

  usageOf(id: string): NodeUsage | undefined {
    const node = this.#readOwn(id);
    return node ? this.results.usages.get(id) : (this.parts.outer?.usageOf?.(id) as NodeUsage | undefined);
  }

  responseOf(id: string): HttpResponse | undefined {
    const node = this.#readOwn(id);
    return node ? this.results.responses.get(node.index) : this.parts.outer?.responseOf?.(id);
  }

  /** Reads a node of this graph. Undefined: the id is one of an enclosing graph. */
  #readOwn(id: string): GraphNode | undefined {
    const node = this.parts.graph.byId.get(id);
    if (node) this.#read(node);
    return node;
  }

  inputs(): readonly Content[] {
    const { arrivals, reader } = this.parts;
    return (arrivals ?? reader.previous).map(node => this.#read(node)).filter(content => content !== undefined);
  }

  previous(): Content | undefined {
    const contents = this.inputs();
    return contents.length < 2 ? contents[0] : new Content(JSON.stringify(contents.map(({ text }) => text)));
  }

  /** The nodes set their variables in topological order, so the last one counts. */
  variables(): Readonly<Record<string, unknown>> {
    const { reader, graph, outer } = this.parts;
    const variables: Record<string, unknown> = { ...outer?.variables?.() };
    const ancestors = this.#ancestorsOf(reader);
    for (const node of graph.order) {
      const values = node.kind.setsVariables && ancestors.has(node) ? this.#read(node)?.json : undefined;
      if (isObject(values)) for (const [name, value] of Object.entries(values)) setOwn(variables, name, value);
    }
    return variables;
  }

  earlier(): ReadonlyMap<string, Content> {
    const { reader, graph, outer } = this.parts;
    const ancestors = this.#ancestorsOf(reader);
    const contents = new Map<string, Content>(outer?.earlier());
    for (const node of graph.order) {
      const content = ancestors.has(node) ? this.#read(node) : undefined;
      if (content) contents.set(node.id, content);
    }
    return contents;
  }

  #read(node: GraphNode): Content | undefined {
    this.parts.onRead?.(node, this.parts.iteration ?? '');
    return this.results.contents[node.index];
  }

  #ancestorsOf(node: GraphNode): Set<GraphNode> {
    const ancestors = new Set<GraphNode>(node.previous);
    // The set grows during iteration, so this collects all ancestors.
    for (const ancestor of ancestors) for (const earlier of ancestor.previous) ancestors.add(earlier);
    return ancestors;
  }
}

/** Results of the nodes of one graph execution, as placeholders of later nodes read them. */
export class NodeResults {
  /**
   * By node index. A failed node with the `on_error` `continue` has the empty content, with `default` its `default_value`.
   * Undefined for a node that did not run or whose failure followed the output `error`.
   */
  readonly contents: (Content | undefined)[];
  /** Errors of failed nodes after which the run continued, by node index. */
  readonly errors = new Map<number, ErrorValue>();
  /** The HTTP responses from which contents come, by node index. */
  readonly responses = new Map<number, HttpResponse>();
  /** Model usage by node id, over all attempts and steps. */
  readonly usages: Map<string, NodeUsage>;

  constructor(graph: Graph, recorded: RecordedLevel | undefined) {
    this.contents = new Array(graph.nodes.length);
    this.usages = new Map(recorded?.usages);
  }

  /** Keeps the response of a node, if it has one. Returns the text that counts towards the size of the results. */
  keepResponse({ index }: GraphNode, response: HttpResponse | undefined): string {
    if (!response) return '';
    this.responses.set(index, response);
    return JSON.stringify(response.headers);
  }

  addUsage(event: UntimedEvent): void {
    if ('usage' in event && event.usage)
      this.usages.set(event.node, addUsage(this.usages.get(event.node), event.usage));
  }

  /**
   * Returns the content of the output node, or the contents of several by node id. A failed output node counts only with
   * the `on_error` `default`, because its content is then the configured `default_value`.
   */
  outputOf(graph: Graph): unknown {
    const outputs = graph.nodes.filter(node => node.kind.isOutput && this.contents[node.index] !== undefined);
    const succeeded = outputs.filter(
      node => !this.errors.has(node.index) || prepareNode(node).policy.onError === 'default',
    );
    const [only, another] = succeeded;
    if (!only) return null;
    if (!another) return this.contents[only.index]?.text ?? null;
    return Object.fromEntries(succeeded.map(node => [node.id, this.contents[node.index]?.text]));
  }
}

const readIds = new WeakMap<Graph, ReadonlySet<string>>();

/**
 * Returns true if a placeholder in the graph or in one of its loop bodies reads the HTTP response of the node. Other responses
 * are not recorded, because their headers are often larger than their content.
 */
export function isResponseRead(graph: Graph, id: string): boolean {
  let ids = readIds.get(graph);
  if (!ids) {
    const uses = [...nodesWithin(graph)].flatMap(node => prepareNode(node).template.uses);
    ids = new Set(uses.flatMap(({ reference }) => (isOfResponse(reference) ? (reference.node ?? []) : [])));
    readIds.set(graph, ids);
  }
  return ids.has(id);
}
