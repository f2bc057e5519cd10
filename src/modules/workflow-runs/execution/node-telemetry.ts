import { findNode, type Graph } from '../../../engine/workflow/graph/graph.js';
import type { NodeEvent, RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Telemetry } from '../../../platform/tracing/telemetry.js';
import type { Span } from '../../../platform/tracing/tracing.js';
import type { NodePlace, WorkContext } from '../../../platform/tracing/work-context.js';

interface OpenNode {
  place: NodePlace;
  startedAt: number;
  span: Span | undefined;
}

/** Reports the nodes of one run to metrics and trace while this process executes them. */
export class NodeTelemetry {
  /** Nodes in progress, at most as many as the run executes concurrently. */
  readonly #open = new Map<string, OpenNode>();

  constructor(
    private readonly telemetry: Telemetry,
    private readonly graph: Graph,
    /** The context of the run. Calls within it look up the spans of their nodes here. */
    private readonly context: WorkContext | undefined,
  ) {
    if (context?.run) context.run.spanOf = place => this.#open.get(keyOf(place.node, place.iteration))?.span;
  }

  /** Starts or ends the span of a node. Results that a fork took over are not reported. */
  observe(event: RunEvent): void {
    switch (event.type) {
      case 'node.started':
        return this.#start(event);
      case 'node.succeeded':
        return event.reused ? undefined : this.#end(event, 'succeeded');
      case 'node.failed':
        return event.reused ? undefined : this.#end(event, 'failed', event.error.code);
    }
  }

  /** Ends the spans of open nodes. These nodes continue later, possibly on another process. */
  close(): void {
    for (const { span } of this.#open.values()) span?.end();
    this.#open.clear();
  }

  #start({ node, iteration = '', at }: NodeEvent): void {
    const key = keyOf(node, iteration);
    // A further attempt of the same node belongs to the same span.
    if (this.#open.has(key)) return;
    const { tracer } = this.telemetry;
    const type = this.#typeOf(node);
    const span = tracer?.start(`node ${type}`, {
      kind: 'internal',
      parent: this.#spanAround(iteration) ?? this.context?.span,
      attributes: {
        'scenarium.node.id': node,
        'scenarium.node.type': type,
        'scenarium.node.iteration': iteration || undefined,
        ...(type === 'agent-node' ? { 'gen_ai.operation.name': 'invoke_agent' } : {}),
      },
    });
    this.#open.set(key, { place: { node, iteration }, startedAt: Date.parse(at), span });
  }

  #end({ node, iteration = '', at }: NodeEvent, outcome: 'succeeded' | 'failed', error?: string): void {
    const key = keyOf(node, iteration);
    const open = this.#open.get(key);
    // Another worker started this node before this one claimed the run.
    if (!open) return;
    this.#open.delete(key);
    this.telemetry.metrics.recordNode(this.#typeOf(node), outcome, (Date.parse(at) - open.startedAt) / 1000);
    open.span?.end(error);
  }

  /** Returns the span of the loop to which the iteration belongs. */
  #spanAround(iteration: string): Span | undefined {
    if (iteration === '') return undefined;
    const outer = iteration.split('.').slice(0, -1).join('.');
    for (const { place, span } of this.#open.values())
      if (place.iteration === outer && findNode(this.graph, place.node)?.body) return span;
    return undefined;
  }

  #typeOf(node: string): string {
    return findNode(this.graph, node)?.kind.type ?? 'unknown';
  }
}

function keyOf(node: string, iteration: string): string {
  return JSON.stringify([node, iteration]);
}
