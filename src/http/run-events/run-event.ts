import { isTerminal } from '../../engine/status.js';
import type { WorkflowRunChange } from '../../modules/workflow-runs/api/workflow-run-change.type.js';
import type { WorkflowRunNode } from '../../modules/workflow-runs/history/workflow-run-node.type.js';

/** Milliseconds after which a client resumes an interrupted stream. */
const RETRY_MS = 1_000;

/** Formats the changes of a run as Server-Sent Events. The id of an event is the number of its change. */
export async function* formatChanges(changes: AsyncIterable<WorkflowRunChange>): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const change of changes) {
    yield `event: ${change.kind}\nid: ${change.sequence}\ndata: ${JSON.stringify(toData(change))}\n\n`;
    if (isTerminal(change.state)) return;
  }
}

function toData({ runId, sequence, kind, at, state, node, nodes }: WorkflowRunChange) {
  const time = at instanceof Date ? at.toISOString() : at;
  const change = { run_id: runId, sequence, kind, at: time, state };
  if (node) return { ...change, node: toNodeData(node) };
  return kind === 'snapshot' ? { ...change, nodes: nodes.map(toNodeData) } : change;
}

function toNodeData({ nodeId, iteration, status, content, error, step, wait }: WorkflowRunNode) {
  return {
    node_id: nodeId,
    iteration,
    status,
    content,
    error,
    step: step && { name: step.name, tool: step.tool, content: step.content },
    wait: wait && { kind: wait.kind, until: wait.until, request_id: wait.requestId },
  };
}
