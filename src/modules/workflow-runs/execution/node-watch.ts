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

/** Tells metrics and trace of the nodes of one run while they are executed here. */
export class NodeWatch {
  /** Those at work: at most as many as the run has in flight. */
  readonly #open = new Map<string, OpenNode>();

  constructor(
    private readonly telemetry: Telemetry,
    private readonly graph: Graph,
    /** Of the run: calls that are made in it find the spans of their nodes. */
    private readonly scope: WorkContext | undefined,
  ) {
    if (scope?.run) scope.run.spanOf = place => this.#open.get(keyOf(place.node, place.iteration))?.span;
  }

  see(event: RunEvent): void {
    switch (event.type) {
      case 'node.started':
        return this.#begin(event);
      case 'node.succeeded':
        return event.reused ? undefined : this.#end(event, 'succeeded');
      case 'node.failed':
        return event.reused ? undefined : this.#end(event, 'failed', event.error.code);
    }
  }

  /** What is open goes on later, perhaps elsewhere. */
  close(): void {
    for (const { span } of this.#open.values()) span?.end();
    this.#open.clear();
  }

  #begin({ node, iteration = '', at }: NodeEvent): void {
    const key = keyOf(node, iteration);
    // Another try of the same node.
    if (this.#open.has(key)) return;
    const { tracer } = this.telemetry;
    const type = this.#typeOf(node);
    const span = tracer?.start(`node ${type}`, {
      kind: 'internal',
      parent: this.#spanAround(iteration) ?? this.scope?.span,
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
    // One that an earlier execution began.
    if (!open) return;
    this.#open.delete(key);
    this.telemetry.metrics.recordNode(this.#typeOf(node), outcome, (Date.parse(at) - open.startedAt) / 1000);
    open.span?.end(error);
  }

  /** Of the loop whose round it is. */
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
