import { Content } from '../template.js';
import type { Graph, GraphNode } from './graph.js';
import type { NodeScope } from './node-kind.js';
import type { RunOptions } from './run-options.js';

const declared = new WeakMap<Graph, ReadonlySet<string>>();

/** What the placeholders of one node find in one run. */
export class RunScope implements NodeScope {
  constructor(
    private readonly run: RunOptions,
    private readonly of: GraphNode,
    /** By node index; of a node that failed and was passed over the empty text, of one that did not run nothing. */
    private readonly contents: readonly (Content | undefined)[],
  ) {}

  get input(): Readonly<Record<string, unknown>> {
    return this.run.input;
  }

  get declared(): ReadonlySet<string> {
    const { graph } = this.run;
    let names = declared.get(graph);
    if (!names) {
      names = new Set(graph.inputFields.map(field => field.id));
      declared.set(graph, names);
    }
    return names;
  }

  get runId(): string {
    return this.run.runId;
  }

  get now(): string {
    return this.run.ports.clock.now().toISOString();
  }

  node(id: string): Content | undefined {
    const node = this.run.graph.byId.get(id);
    return node && this.contents[node.index];
  }

  previous(): Content | undefined {
    const live = this.of.previous.map(({ index }) => this.contents[index]).filter(content => content !== undefined);
    return live.length < 2 ? live[0] : new Content(JSON.stringify(live.map(content => content.text)));
  }

  earlier(): ReadonlyMap<string, Content> {
    const seen = new Set<GraphNode>(this.of.previous);
    // A set grows while it is walked: every node before one that is before this one is before this one.
    for (const node of seen) for (const earlier of node.previous) seen.add(earlier);
    const found = new Map<string, Content>();
    for (const node of this.run.graph.order) {
      const content = seen.has(node) ? this.contents[node.index] : undefined;
      if (content) found.set(node.id, content);
    }
    return found;
  }
}
