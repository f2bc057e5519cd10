import type { JsonObject } from '../../json-value.js';
import { Content } from '../../template.js';
import type { Graph, GraphNode } from '../graph/graph.js';
import type { NodeScope } from '../graph/node-kind.js';

const declared = new WeakMap<Graph, ReadonlySet<string>>();

export interface ScopeParts {
  runId: string;
  graph: Graph;
  input: Readonly<JsonObject>;
  of: GraphNode;
  /** When the try of the node began: the same whenever it is executed again. */
  now: string;
  /** What the loop around the graph sees. */
  outer?: NodeScope | undefined;
}

/** What the placeholders of one node find in one run. */
export class RunScope implements NodeScope {
  constructor(
    private readonly parts: ScopeParts,
    /** By node index; of a node that failed and was passed over the empty text, of one that did not run nothing. */
    private readonly contents: readonly (Content | undefined)[],
  ) {}

  get input(): Readonly<JsonObject> {
    return this.parts.input;
  }

  get declared(): ReadonlySet<string> {
    const { graph } = this.parts;
    let names = declared.get(graph);
    if (!names) {
      names = new Set(graph.inputFields.map(field => field.id));
      declared.set(graph, names);
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
    // A set grows while it is walked: every node before one that is before this one is before this one.
    for (const node of seen) for (const earlier of node.previous) seen.add(earlier);
    const found = new Map<string, Content>(outer?.earlier());
    for (const node of graph.order) {
      const content = seen.has(node) ? this.contents[node.index] : undefined;
      if (content) found.set(node.id, content);
    }
    return found;
  }
}
