import type { GraphNode } from '../../../engine/workflow/graph/graph.js';
import { keyOf } from '../../../engine/workflow/history/replay-record.js';
import { idempotencyKeyOf } from '../../../engine/workflow/run/call.js';
import { type NodePlace, placeOf } from '../../../engine/workflow/run/recorded-state.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';

/** Maximum number of idempotency keys that are returned for a node. */
const MAX_KEYS = 100;

interface EndedExecutions {
  /** Executions in this run that have ended. */
  ended: NodePlace[];
  /** Recorded ends, including results that were taken over from an earlier run. */
  results: NodePlace[];
}

interface Executions extends EndedExecutions {
  /** Executions in this run that have not ended. */
  open: NodePlace[];
}

/** The executions of nodes in the journal of a run. */
export class RecordedExecutions {
  /** The runs that nodes have started and waited for, by their ids. */
  readonly subRuns = new Map<string, NodePlace>();
  readonly #open = new Map<string, Map<string, NodePlace>>();
  readonly #executions = new Map<string, EndedExecutions>();
  readonly #keys = new Map<string, Map<string, { iteration: string; step?: string }>>();

  constructor(
    private readonly runId: string,
    events: readonly RunEvent[],
  ) {
    for (const event of events) if ('node' in event) this.#add(event);
  }

  of(nodeId: string): Executions {
    const { ended, results } = this.#executions.get(nodeId) ?? { ended: [], results: [] };
    return { ended, results, open: [...(this.#open.get(nodeId)?.values() ?? [])] };
  }

  /** Returns the idempotency keys of the calls of a node: of its steps if its effects are `steps`, otherwise its own. */
  keysOf(node: GraphNode): string[] {
    const calls = [...(this.#keys.get(node.id)?.values() ?? [])];
    const effective = calls.filter(({ step }) => (step !== undefined) === (node.effects === 'steps'));
    return effective.slice(0, MAX_KEYS).map(call => idempotencyKeyOf({ runId: this.runId, node, ...call }));
  }

  #add(event: Extract<RunEvent, { node: string }>): void {
    const { node, iteration = '' } = event;
    const place = placeOf(node, iteration);
    const open = this.#open.get(node) ?? new Map<string, NodePlace>();
    this.#open.set(node, open);
    const executions = this.#executions.get(node) ?? { ended: [], results: [] };
    this.#executions.set(node, executions);
    switch (event.type) {
      case 'node.started':
        open.set(keyOf(place), place);
        return this.#addKey(node, { iteration });
      case 'node.step.started':
        return this.#addKey(node, { iteration, step: event.step });
      case 'node.waiting':
        if (event.wait.kind === 'run') this.subRuns.set(event.wait.runId, place);
        return;
      case 'node.succeeded':
      case 'node.failed':
        executions.results.push(place);
        if (open.delete(keyOf(place))) executions.ended.push(place);
    }
  }

  #addKey(node: string, call: { iteration: string; step?: string }): void {
    const keys = this.#keys.get(node) ?? new Map();
    this.#keys.set(node, keys);
    keys.set(JSON.stringify([call.iteration, call.step ?? null]), call);
  }
}
