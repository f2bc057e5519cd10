import type { WatchRunSubscription } from './run.generated';

export type RunChange = WatchRunSubscription['workflowRunChanged'];
type ChangedNode = NonNullable<RunChange['node']>;

export type NodeState = 'RUNNING' | 'WAITING' | 'SUCCEEDED' | 'FAILED' | 'SKIPPED' | 'CANCELLED';

/** A period in milliseconds since 1970. `to` is null while it lasts. */
export interface Period {
  from: number;
  to: number | null;
}

export interface Attempt extends Period {
  number: number;
  error: { code: string; message: string } | null;
}

/** A model call, tool call or sub-run inside a node. */
export interface Step extends Period {
  name: string;
  tool: string | null;
  arguments: unknown;
  content: string | null;
}

/** One execution of a node: in loops there is one for each iteration. Times are in milliseconds since 1970. */
export interface Execution {
  key: string;
  nodeId: string;
  /** For example `3` or `3.0`. Null outside loops. */
  iteration: string | null;
  state: NodeState;
  /** Whether a fork took the result over from its original run. It has no times then. */
  isReused: boolean;
  startedAt: number | null;
  endedAt: number | null;
  attempts: readonly Attempt[];
  /** Times at which the node waited for a timer, a decision or a sub-run. */
  waits: readonly Period[];
  /** The current wait. */
  wait: ChangedNode['wait'];
  /** Milliseconds that the node waited for a free provider, a thread or the database. */
  waitedMs: number | null;
  /** Lines that the script wrote to the console. */
  log: readonly string[];
  content: string | null;
  error: { code: string; message: string } | null;
  usage: ChangedNode['usage'];
  finishReason: ChangedNode['finishReason'];
  steps: readonly Step[];
}

export interface LoggedEvent {
  sequence: number;
  at: string;
  kind: RunChange['kind'];
  nodeId: string | null;
  iteration: string | null;
  detail: string | null;
}

/** Older events are dropped, so that a long run does not fill the memory. */
const MAX_EVENTS = 20_000;
/** Events are dropped many at a time: each time copies the list. */
const MAX_KEPT_EVENTS = 1.2 * MAX_EVENTS;

export const executionKey = (nodeId: string, iteration: string | null) => `${iteration ?? ''}/${nodeId}`;

/** The changes that the stream of a run has sent so far. Changes that arrive twice after a reconnection count once. */
export class RunTrace {
  readonly #executions = new Map<string, Execution>();
  #events: LoggedEvent[] = [];
  #sequence = 0;
  #dropped = 0;
  #finalState: 'SUCCEEDED' | 'FAILED' | 'CANCELLED' | null = null;

  /** The last change. A subscription continues after it. */
  get sequence(): number {
    return this.#sequence;
  }

  get finalState() {
    return this.#finalState;
  }

  /** Adds a change. Returns whether it is new. */
  apply(change: RunChange): boolean {
    if (change.sequence <= this.#sequence) return false;
    this.#sequence = change.sequence;
    if (change.node) this.#executions.set(...applyChange(this.#executions, change, change.node));
    // All kinds of changes of the run itself are ends.
    if (change.kind.startsWith('RUN_')) this.#end(change);
    this.#log(change);
    return true;
  }

  snapshot(): RunSnapshot {
    return {
      executions: [...this.#executions.values()],
      events: [...this.#events],
      dropped: this.#dropped,
      sequence: this.#sequence,
    };
  }

  #end({ kind, at }: RunChange): void {
    this.#finalState = kind.slice('RUN_'.length) as 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
    // A cancelled node has no event of its own.
    const to = Date.parse(at);
    for (const [key, execution] of this.#executions) {
      if (execution.endedAt === null && execution.startedAt !== null)
        this.#executions.set(key, { ...closePeriods(execution, to), endedAt: to, wait: null });
    }
  }

  #log({ sequence, at, kind, node }: RunChange): void {
    this.#events.push({
      sequence,
      at,
      kind,
      nodeId: node?.nodeId ?? null,
      iteration: node?.iteration ?? null,
      detail: node?.error?.message ?? node?.step?.tool ?? node?.step?.name ?? waitText(node) ?? null,
    });
    if (this.#events.length <= MAX_KEPT_EVENTS) return;
    this.#dropped += this.#events.length - MAX_EVENTS;
    this.#events = this.#events.slice(-MAX_EVENTS);
  }
}

export interface RunSnapshot {
  executions: readonly Execution[];
  events: readonly LoggedEvent[];
  /** Number of older events that are not kept. */
  dropped: number;
  sequence: number;
}

export const EMPTY_SNAPSHOT: RunSnapshot = { executions: [], events: [], dropped: 0, sequence: 0 };

function waitText(node: ChangedNode | null | undefined): string | null {
  const kind = node?.wait?.kind;
  if (kind === undefined) return null;
  if (kind === 'TIMER') return 'waits for a time';
  const article = kind === 'APPROVAL' || kind === 'EVENT' ? 'an' : 'a';
  return `waits for ${article} ${kind.toLowerCase()}`;
}

type ChangeKind = RunChange['kind'];

/** Changes after which the attempt of the node continues. */
const CONTINUING = new Set<ChangeKind>(['NODE_STARTED', 'NODE_STEP_STARTED', 'NODE_STEP_SUCCEEDED', 'NODE_WAITING']);

function applyChange(
  known: ReadonlyMap<string, Execution>,
  { kind, at }: RunChange,
  node: ChangedNode,
): [string, Execution] {
  const key = executionKey(node.nodeId, node.iteration);
  const time = Date.parse(at);
  const before = closePeriods(known.get(key) ?? newExecution(key, node), time, kind);
  const measured = {
    usage: node.usage ?? before.usage,
    finishReason: node.finishReason ?? before.finishReason,
    waitedMs: node.waitedMs ?? before.waitedMs,
    log: node.log,
    wait: null,
  };
  return [key, { ...before, ...measured, ...changesOf(before, kind, node, time) }];
}

function newExecution(key: string, { nodeId, iteration }: ChangedNode): Execution {
  return {
    key,
    nodeId,
    iteration,
    state: 'RUNNING',
    isReused: false,
    startedAt: null,
    endedAt: null,
    attempts: [],
    waits: [],
    wait: null,
    waitedMs: null,
    log: [],
    content: null,
    error: null,
    usage: null,
    finishReason: null,
    steps: [],
  };
}

/**
 * Ends the open wait of a node. A change other than a start, a step or a wait ends its attempt too: also the end of the run,
 * which has no `kind`.
 */
function closePeriods(execution: Execution, at: number, kind?: ChangeKind): Execution {
  const waits = execution.waits.map(wait => (wait.to === null ? { ...wait, to: at } : wait));
  if (kind !== undefined && CONTINUING.has(kind)) return { ...execution, waits };
  const attempts = execution.attempts.map(attempt => (attempt.to === null ? { ...attempt, to: at } : attempt));
  const steps = execution.steps.map(step => (step.to === null ? { ...step, to: at } : step));
  return { ...execution, waits, attempts, steps };
}

function changesOf(before: Execution, kind: ChangeKind, node: ChangedNode, at: number): Partial<Execution> {
  switch (kind) {
    case 'NODE_STARTED':
      return withAttempt(before, at);
    case 'NODE_RETRYING':
      return { state: 'RUNNING', error: node.error, attempts: withError(before.attempts, node.error) };
    case 'NODE_WAITING':
      return { state: 'WAITING', wait: node.wait, waits: [...before.waits, { from: at, to: null }] };
    case 'NODE_STEP_STARTED':
    case 'NODE_STEP_SUCCEEDED':
      return { state: 'RUNNING', steps: withStep(before.steps, kind, node, at) };
    case 'NODE_SUCCEEDED':
      return { state: 'SUCCEEDED', endedAt: at, startedAt: before.startedAt ?? at, content: node.content, error: null };
    case 'NODE_FAILED':
      return { state: 'FAILED', endedAt: at, error: node.error, attempts: withError(before.attempts, node.error) };
    case 'NODE_SKIPPED':
      return { state: 'SKIPPED' };
    default:
      return {};
  }
}

/** A start without an end before it follows a stopped process: the attempt is repeated. */
function withAttempt(before: Execution, at: number): Partial<Execution> {
  const ended = before.attempts.map(attempt => (attempt.to === null ? { ...attempt, to: at } : attempt));
  const attempt: Attempt = { number: ended.length + 1, from: at, to: null, error: null };
  return { state: 'RUNNING', startedAt: before.startedAt ?? at, attempts: [...ended, attempt] };
}

function withError(attempts: readonly Attempt[], error: Attempt['error']): readonly Attempt[] {
  return attempts.map((attempt, index) => (index === attempts.length - 1 ? { ...attempt, error } : attempt));
}

function withStep(steps: readonly Step[], kind: ChangeKind, { step }: ChangedNode, at: number): readonly Step[] {
  if (!step) return steps;
  const { name, tool, content } = step;
  const open = steps.findLastIndex(one => one.name === name && one.to === null);
  if (kind === 'NODE_STEP_STARTED')
    return open >= 0 ? steps : [...steps, { name, tool, arguments: step.arguments, content: null, from: at, to: null }];
  if (open < 0) return [...steps, { name, tool, arguments: step.arguments, content, from: at, to: at }];
  return steps.map((one, index) => (index === open ? { ...one, content, to: at } : one));
}
