import type { GraphNode } from '../graph/graph.js';
import type { Outcome } from '../graph/node-kind.js';
import type { RecordedEnd } from '../run/recorded-state.js';

/** The recorded end of a node, which takes the place of its execution. */
export type ReplayAnswer = RecordedEnd;

/** Instead of an answer: the node is executed. */
export const EXECUTE = 'execute';

/**
 * Answers nodes with external effects from a record. A node without an answer makes no call and never ends, and the run
 * is suspended when only such nodes are left.
 */
export interface Replay {
  /** True: a failure of the run aborts nodes without an answer. Absent: they keep the run open, which is then suspended. */
  readonly abortsHeldNodes?: true;
  /** Returns the recorded start of a node as ISO 8601; undefined: it was not recorded. */
  startedAt(node: GraphNode, iteration: string): string | undefined;
  /** Called for each node whose result another node reads. */
  onRead(node: GraphNode, iteration: string): void;
  /** Returns a recorded outcome, or calls `execute`, which resolves the settings of the node and calls `answer` or computes the content. */
  observe<T extends Outcome | Promise<Outcome>>(node: GraphNode, iteration: string, execute: () => T): T | Outcome;
  /** Returns the answer of a node with external effects; undefined: none. `request` is the hash of its resolved request. */
  answer(node: GraphNode, iteration: string, request: string | undefined): ReplayAnswer | typeof EXECUTE | undefined;
}
