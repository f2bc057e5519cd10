import type { JsonObject } from '../../json-value.js';
import { Content } from '../../template.js';
import type { Graph, GraphNode } from '../graph/graph.js';
import type { NodeScope } from '../graph/node-kind.js';

const declaredFields = new WeakMap<Graph, ReadonlySet<string>>();

export interface ScopeParts {
  runId: string;
  graph: Graph;
  input: Readonly<JsonObject>;
  of: GraphNode;
  /** Start time of the attempt, equal in each re-execution. */
  now: string;
  /** Scope of the enclosing loop. */
  outer?: NodeScope | undefined;
}

/** The values that placeholders of one node resolve to in one run. */
export class RunScope implements NodeScope {
  constructor(
    private readonly parts: ScopeParts,
    /**
     * Contents by node index: the empty text for a failed node that was continued, undefined for a node that did not
     * run.
     */
    private readonly contents: readonly (Content | undefined)[],
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

  node(id: string): Content | undefined {
    const { graph, outer } = this.parts;
    const node = graph.byId.get(id);
    return node ? this.contents[node.index] : outer?.node(id);
  }

  previous(): Content | undefined {
    const live = this.parts.of.previous
      .map(({ index }) => this.contents[index])
      .filter(content => content !== undefined);
    return live.length < 2 ? live[0] : new Content(JSON.stringify(live.map(content => content.text)));
  }

  earlier(): ReadonlyMap<string, Content> {
    const { of, graph, outer } = this.parts;
    const seen = new Set<GraphNode>(of.previous);
    // The set grows during iteration, so this collects all ancestors.
    for (const node of seen) for (const earlier of node.previous) seen.add(earlier);
    const found = new Map<string, Content>(outer?.earlier());
    for (const node of graph.order) {
      const content = seen.has(node) ? this.contents[node.index] : undefined;
      if (content) found.set(node.id, content);
    }
    return found;
  }
}
