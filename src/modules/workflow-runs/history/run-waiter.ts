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
import { WorkflowRunNodeStatus } from './workflow-run-node.type.js';

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

/** Requests of this process that wait at the same time. Further ones are answered at once. */
const MAX_WAITING = 2_000;
/** The longest wait of a request in seconds. */
export const MAX_WAIT_SECONDS = 60;
const NONE: ReadonlySet<string> = new Set();

/** Waits for the reply or the end of a run. */
export class RunWaiter {
  #waiting = 0;

  constructor(
    private readonly runs: WorkflowRunService,
    private readonly streams: RunChangeStreams,
    private readonly revisions: RevisionStore,
  ) {}

  /** Waits for the end of an accepted run, unless `seconds` is 0. Returns its status and result at that time. */
  async afterWait(
    context: Pick<RequestContext, 'viewer' | 'onWait' | 'signal'>,
    receipt: WorkflowRunReceipt,
    seconds: number,
  ): Promise<WorkflowRunReceipt> {
    if (seconds === 0 || receipt.status !== 201) return receipt;
    const { viewer } = context;
    context.onWait();
    await this.untilEnd(viewer, receipt.runId, seconds, context.signal);
    const { data } = await this.runs.getResult(viewer, receipt.runId);
    return { ...receipt, data };
  }

  /** Waits for the end of a run at most `seconds`, or until `signal` aborts. It does not wait while many others do. */
  async untilEnd(viewer: Viewer, runId: string, seconds: number, signal: AbortSignalLike): Promise<void> {
    await this.#follow(viewer, runId, { seconds, responders: NONE, signal });
  }

  /** Waits for the reply or the end of a run at most `seconds`, or until `signal` aborts. */
  async wait(viewer: Viewer, runId: string, seconds: number, signal: AbortSignalLike): Promise<AwaitedRun> {
    const { revisionId } = await this.runs.get(viewer, runId);
    const { data } = await this.revisions.get(revisionId);
    const responders = idsOfType(data, 'respond-node');
    const ended = await this.#follow(viewer, runId, { seconds, responders, signal });
    if (ended === undefined) return UNFINISHED;
    if (typeof ended === 'string') return { ...UNFINISHED, reply: ended };
    const { data: result } = await this.runs.getResult(viewer, runId);
    const { status, output, error } = result;
    return { ...UNFINISHED, state: status as RunState, output, error: error as AwaitedRun['error'] };
  }

  /** Returns the content of the first responder, true at the end of the run, or undefined after the time. */
  async #follow(
    viewer: Viewer,
    runId: string,
    { seconds, responders, signal }: { seconds: number; responders: ReadonlySet<string>; signal: AbortSignalLike },
  ): Promise<string | true | undefined> {
    if (signal.aborted || this.#waiting >= MAX_WAITING) return undefined;
    const changes = (await this.streams.open(viewer, runId, null))[Symbol.asyncIterator]();
    this.#waiting++;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<undefined>(resolve => {
      timer = setTimeout(() => resolve(undefined), seconds * 1_000);
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    try {
      for (;;) {
        const next = await Promise.race([changes.next(), over]);
        if (next === undefined) return undefined;
        if (next.done) return true;
        const reply = replyIn(next.value, responders);
        if (reply !== undefined) return reply;
        if (isTerminal(next.value.state)) return true;
      }
    } finally {
      this.#waiting--;
      clearTimeout(timer);
      void changes.return?.();
    }
  }
}

/** Returns the seconds of a wait. @throws InvalidInputError if they are not 0-60. */
export function checkWait(seconds: number): number {
  if (seconds >= 0 && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new InvalidInputError({ waitSeconds: [`Ensure this value is between 0 and ${MAX_WAIT_SECONDS}.`] });
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
  const nodes = Array.isArray(data.nodes) ? (data.nodes as { id?: unknown; type?: unknown }[]) : [];
  return new Set(nodes.filter(node => node?.type === type).map(({ id }) => String(id)));
}
