import { textOf } from '../../../engine/json-value.js';
import { isTerminal, type RunState } from '../../../engine/status.js';
import type { AbortSignalLike } from '../../../platform/async/abort-signal.js';
import { InvalidInputError } from '../../../platform/errors/errors.js';
import type { RequestContext } from '../../accounts/request-context.js';
import type { Viewer } from '../../accounts/viewer.js';
import type { RevisionStore } from '../../workflows/revision-store.js';
import type { RunChangeStreams } from '../api/run-change-streams.js';
import { type WorkflowRunChange, WorkflowRunChangeKind } from '../api/workflow-run-change.type.js';
import type { WorkflowRunReceipt } from './workflow-run.inputs.js';
import type { WorkflowRunService } from './workflow-run.service.js';
import { type WorkflowRunNode, WorkflowRunNodeStatus } from './workflow-run-node.type.js';

/** The state of a run after the wait. */
export interface AwaitedRun {
  /** The content of the first `respond-node`. Null: none has succeeded. */
  reply: string | null;
  /** The final state. Null: the run has not ended. */
  state: RunState | null;
  output: unknown;
  error: { code: string; message: string } | null;
}

const UNFINISHED: AwaitedRun = { reply: null, state: null, output: null, error: null };

/** Maximum number of requests of this process that wait at the same time. Further ones do not wait. */
const MAX_WAITING = 2_000;
/** Maximum wait of a request in seconds. */
export const MAX_WAIT_SECONDS = 60;
const NO_RESPONDERS: ReadonlySet<string> = new Set();

/** The reply, true for the end of the run, or undefined if the wait ended first. */
type WaitOutcome = string | true | undefined;

interface Wait {
  seconds: number;
  /** Ids of the nodes of type `respond-node`. The content of the first that succeeds is the reply. */
  responders: ReadonlySet<string>;
  signal: AbortSignalLike;
  onChange?: (change: WorkflowRunChange) => void;
}

/** Waits for the reply or the end of a run. */
export class RunWaiter {
  #waiting = 0;

  constructor(
    private readonly runs: WorkflowRunService,
    private readonly streams: RunChangeStreams,
    private readonly revisions: RevisionStore,
  ) {}

  /** Waits for the end of an accepted run, unless `seconds` is 0. Returns its status and result at that time. */
  async waitForResult(
    context: Pick<RequestContext, 'viewer' | 'onWait' | 'signal'>,
    receipt: WorkflowRunReceipt,
    seconds: number,
  ): Promise<WorkflowRunReceipt> {
    if (seconds === 0 || receipt.status !== 201) return receipt;
    const { viewer } = context;
    context.onWait();
    await this.waitForEnd(viewer, receipt.runId, seconds, context.signal);
    const { data } = await this.runs.getResult(viewer, receipt.runId);
    return { ...receipt, data };
  }

  /** Waits for the end of a run at most `seconds`, or until `signal` aborts. Above `MAX_WAITING` it returns immediately. */
  async waitForEnd(viewer: Viewer, runId: string, seconds: number, signal: AbortSignalLike): Promise<void> {
    await this.#follow(viewer, runId, { seconds, responders: NO_RESPONDERS, signal });
  }

  /**
   * Waits for the reply or the end of a run at most `seconds`, or until `signal` aborts. Calls `onNode` with the labels
   * of the nodes outside loops that are active or start meanwhile.
   */
  async wait(
    viewer: Viewer,
    runId: string,
    seconds: number,
    signal: AbortSignalLike,
    onNode?: (label: string) => void,
  ): Promise<AwaitedRun> {
    const data = await this.#graphOf(viewer, runId);
    const responders = idsOfType(data, 'respond-node');
    const labels = labelsOf(data);
    const onChange = (change: WorkflowRunChange) => {
      for (const { nodeId } of activeNodesIn(change)) onNode?.(labels.get(nodeId) ?? nodeId);
    };
    const outcome = await this.#follow(viewer, runId, { seconds, responders, signal, ...(onNode && { onChange }) });
    return this.#loadAwaited(viewer, runId, outcome);
  }

  /** Returns the reply or the end of a run if it already has one of them, without waiting. */
  async peek(viewer: Viewer, runId: string): Promise<AwaitedRun> {
    const responders = idsOfType(await this.#graphOf(viewer, runId), 'respond-node');
    const changes = (await this.streams.open(viewer, runId, null))[Symbol.asyncIterator]();
    try {
      const { value, done } = await changes.next();
      return await this.#loadAwaited(viewer, runId, done ? true : outcomeIn(value, responders));
    } finally {
      void changes.return?.();
    }
  }

  async #graphOf(viewer: Viewer, runId: string): Promise<Record<string, unknown>> {
    const { revisionId } = await this.runs.get(viewer, runId);
    return (await this.revisions.get(revisionId)).data;
  }

  async #loadAwaited(viewer: Viewer, runId: string, outcome: WaitOutcome): Promise<AwaitedRun> {
    if (outcome === undefined) return UNFINISHED;
    if (typeof outcome === 'string') return { ...UNFINISHED, reply: outcome };
    const { data: result } = await this.runs.getResult(viewer, runId);
    const { status, output, error } = result;
    return { reply: null, state: status as RunState, output, error: error as AwaitedRun['error'] };
  }

  async #follow(viewer: Viewer, runId: string, wait: Wait): Promise<WaitOutcome> {
    if (this.#waiting >= MAX_WAITING) return undefined;
    this.#waiting++;
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<undefined>(resolve => {
      timer = setTimeout(() => resolve(undefined), wait.seconds * 1_000);
      wait.signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    try {
      const changes = (await this.streams.open(viewer, runId, null))[Symbol.asyncIterator]();
      return await firstOutcome(changes, wait, end).finally(() => void changes.return?.());
    } finally {
      this.#waiting--;
      clearTimeout(timer);
    }
  }
}

/** Reads changes until the reply or the end of the run. Undefined if `end` resolves or the signal is aborted before. */
async function firstOutcome(
  changes: AsyncIterator<WorkflowRunChange>,
  { responders, signal, onChange }: Wait,
  end: Promise<undefined>,
): Promise<WaitOutcome> {
  while (!signal.aborted) {
    const next = await Promise.race([changes.next(), end]);
    if (next === undefined) return undefined;
    if (next.done) return true;
    onChange?.(next.value);
    const outcome = outcomeIn(next.value, responders);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

/** Returns the seconds of a wait. @throws InvalidInputError if they are not 0-60. */
export function checkWait(seconds: number): number {
  if (seconds >= 0 && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new InvalidInputError({ waitSeconds: [`Ensure this value is between 0 and ${MAX_WAIT_SECONDS}.`] });
}

/** The reply in a change, true if the run has ended with it, or undefined if the wait continues. */
function outcomeIn(change: WorkflowRunChange, responders: ReadonlySet<string>): WaitOutcome {
  return replyIn(change, responders) ?? (isTerminal(change.state) ? true : undefined);
}

/** The nodes outside loops that start with a change, or are active in a snapshot. */
function activeNodesIn({ kind, node, nodes }: WorkflowRunChange): readonly WorkflowRunNode[] {
  if (kind === WorkflowRunChangeKind.NODE_STARTED) return node?.iteration === null ? [node] : [];
  const { RUNNING, WAITING } = WorkflowRunNodeStatus;
  return nodes.filter(({ status }) => status === RUNNING || status === WAITING);
}

function replyIn({ kind, node, nodes }: WorkflowRunChange, responders: ReadonlySet<string>): string | undefined {
  if (responders.size === 0) return undefined;
  const candidates = kind === WorkflowRunChangeKind.SNAPSHOT ? nodes : node ? [node] : [];
  const found = candidates.find(
    ({ nodeId, status, iteration }) =>
      status === WorkflowRunNodeStatus.SUCCEEDED && iteration === null && responders.has(nodeId),
  );
  return found?.content ?? undefined;
}

/** Ids of the top-level nodes of a type. */
function idsOfType(data: Record<string, unknown>, type: string): ReadonlySet<string> {
  return new Set(nodesOf(data).flatMap(node => (node?.type === type ? [textOf(node.id)] : [])));
}

/** The labels of the top-level nodes. */
function labelsOf(data: Record<string, unknown>): ReadonlyMap<string, string> {
  return new Map(nodesOf(data).map(node => [textOf(node?.id), textOf(node?.data?.label ?? node?.id)]));
}

function nodesOf(data: Record<string, unknown>) {
  return Array.isArray(data.nodes)
    ? (data.nodes as { id?: unknown; type?: unknown; data?: { label?: unknown } }[])
    : [];
}
