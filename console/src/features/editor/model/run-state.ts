import type { EditorRunChangedSubscription, EditorRunNodeFragment } from '../editor.generated';

export type RunChange = EditorRunChangedSubscription['workflowRunChanged'];
/** A node of a followed run. `state` is its status, but `WAITING` between two attempts. */
export type RunNode = EditorRunNodeFragment & { state: string };

/** A run that the editor follows. */
export interface RunView {
  id: string;
  state: string;
  /** Whether all changes have arrived. */
  isComplete: boolean;
  /** Seconds. */
  duration: number | null;
  /** US dollars. */
  cost: string | null;
  output: unknown;
  error: string | null;
  /** By node id, in the order of their start. A node inside a loop has its newest round. */
  nodes: ReadonlyMap<string, RunNode>;
}

/** A run without changes yet. */
export function createRunView(id: string, state: string): RunView {
  return { id, state, isComplete: false, duration: null, cost: null, output: null, error: null, nodes: new Map() };
}

export const isEnded = ({ state }: { state: string }): boolean => ['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(state);

/**
 * The run after a change of the subscription. A snapshot has `nodes`, all nodes so far, and no `node`; another change has at most
 * the changed `node`.
 */
export function applyChange(view: RunView, { kind, run, node, nodes }: RunChange): RunView {
  const next = new Map(view.nodes);
  for (const one of [...nodes, ...(node ? [node] : [])]) {
    const state = one === node && kind === 'NODE_RETRYING' ? 'WAITING' : one.status;
    next.set(one.nodeId, { ...one, state });
  }
  const result = run.result as { output?: unknown; error?: { message?: string } | null } | null;
  return {
    id: view.id,
    state: run.state,
    isComplete: view.isComplete,
    duration: run.duration,
    cost: run.cost.usd,
    output: result?.output ?? null,
    error: result?.error?.message ?? null,
    nodes: next,
  };
}
