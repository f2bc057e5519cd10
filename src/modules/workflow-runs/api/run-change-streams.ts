import { isTerminal, type RunState } from '../../../engine/status.js';
import { attemptsAfter, type NodeAttempt } from '../../../engine/workflow/run/attempt-history.js';
import { addUsage, type NodeUsage } from '../../../engine/workflow/run/node-usage.js';
import type { NodeEvent } from '../../../engine/workflow/run/run-event.js';
import { SharedReads } from '../../../platform/memory/shared-reads.js';
import type { Bus } from '../../../platform/messaging/bus.js';
import { streamChanges } from '../../../platform/messaging/changes.js';
import type { Viewer } from '../../accounts/viewer.js';
import { finishReasonOf, modelUsage } from '../../billing/model-usage.type.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import {
  type WorkflowRunNode,
  WorkflowRunNodeStatus,
  type WorkflowRunStep,
} from '../history/workflow-run-node.type.js';
import { toAttempts } from '../journal/journal-attempts.js';
import { type JournalEvent, type JournalPage, type RunJournal, runTopic } from '../journal/run-journal.js';
import { waitOf } from '../journal/run-nodes.js';
import { type WorkflowRunChange, WorkflowRunChangeKind } from './workflow-run-change.type.js';

/** Streams changes of runs. Each subscriber reads the journal from its own position when the bus notifies it. */
export class RunChangeStreams {
  readonly #sharedReads = new SharedReads<JournalPage | undefined>();
  readonly #changes = new WeakMap<JournalEvent, WorkflowRunChange>();

  constructor(
    private readonly runs: WorkflowRunService,
    private readonly journal: RunJournal,
    private readonly bus: Bus,
  ) {}

  /**
   * Streams the changes of a run. Throws NotFoundError before the first change when the run is not visible to the
   * viewer.
   */
  async open(viewer: Viewer, runId: string, afterSequence: number | null): Promise<AsyncIterable<WorkflowRunChange>> {
    await this.runs.get(viewer, runId);
    return streamChanges<WorkflowRunChange>(this.bus.topicSource(runTopic(runId)), async ({ send, nextChange }) => {
      const measures: MeasuresByNode = new Map();
      let last = 0;
      let needsSnapshot = afterSequence === null;
      do {
        // The journal is read with the rights of the viewer. For a viewer who has left the project, the run appears
        // deleted.
        const page = await this.#read(viewer, runId, last);
        if (!page) return;
        if (needsSnapshot) {
          if (!(await send(snapshot(runId, page, measures)))) return;
          needsSnapshot = false;
        } else {
          for (const event of page.events) {
            const change = this.#share(event, changeOf(runId, event, measures));
            // Events up to `afterSequence` are read only for the usage of their nodes.
            if (event.sequence > (afterSequence ?? 0) && !(await send(change))) return;
          }
        }
        last = Math.max(last, page.sequence);
        if (isTerminal(page.state as RunState)) return;
      } while (await nextChange());
    });
  }

  /** Returns the same change for all subscribers, because the usage up to an event is the same for all. */
  #share(event: JournalEvent, change: WorkflowRunChange): WorkflowRunChange {
    const existing = this.#changes.get(event);
    if (existing) return existing;
    this.#changes.set(event, change);
    return change;
  }

  /** Subscribers of the same viewer at the same position share one read. */
  #read(viewer: Viewer, runId: string, after: number): Promise<JournalPage | undefined> {
    const reader = viewer.isAdmin ? 'admin' : viewer.userId;
    return this.#sharedReads.read(`${runId} ${after} ${reader}`, () => this.journal.read(runId, after, viewer));
  }
}

/** Model usage, waiting time and attempts of a node up to the last processed event. */
interface NodeMeasures {
  usage: NodeUsage | undefined;
  waitedMs: number | null;
  log: readonly string[];
  attempts: readonly NodeAttempt[];
}

/** The measures of unfinished nodes, by node and iteration. */
type MeasuresByNode = Map<string, NodeMeasures>;

/** The events after which a node has no further events. */
const FINAL_EVENTS: ReadonlySet<NodeEvent['type']> = new Set([
  'node.succeeded',
  'node.failed',
  'node.skipped',
] as const);

function snapshot(
  runId: string,
  { state, sequence, events }: JournalPage,
  measures: MeasuresByNode,
): WorkflowRunChange {
  return {
    runId,
    sequence,
    kind: WorkflowRunChangeKind.SNAPSHOT,
    at: new Date(),
    state: state as RunState,
    node: null,
    nodes: nodesOf(runId, events, measures),
  };
}

function changeOf(runId: string, event: JournalEvent, measures: MeasuresByNode): WorkflowRunChange {
  return {
    runId,
    sequence: event.sequence,
    kind: event.type as WorkflowRunChangeKind,
    at: new Date(event.at),
    state: STATE_AFTER[event.type] ?? 'running',
    node: 'node' in event ? nodeAfter(runId, event, measures) : null,
    nodes: [],
  };
}

const STATE_AFTER: Partial<Record<JournalEvent['type'], RunState>> = {
  'run.succeeded': 'succeeded',
  'run.failed': 'failed',
  'run.cancelled': 'cancelled',
};

function nodeAfter(runId: string, event: NodeEvent, measures: MeasuresByNode): WorkflowRunNode {
  const { node: id, iteration = null } = event;
  const { usage, waitedMs, log, attempts } = measure(event, measures);
  const measured = {
    usage: modelUsage(usage),
    finishReason: finishReasonOf(usage),
    waitedMs,
    log,
    recordedAttempts: toAttempts(attempts),
  };
  const node = { runId, nodeId: id, iteration, content: null, error: null, step: null, wait: null, ...measured };
  switch (event.type) {
    case 'node.succeeded':
      return { ...node, status: WorkflowRunNodeStatus.SUCCEEDED, content: event.content };
    case 'node.failed':
      return { ...node, status: WorkflowRunNodeStatus.FAILED, error: event.error };
    case 'node.retrying':
      return { ...node, status: WorkflowRunNodeStatus.RUNNING, error: event.error };
    case 'node.skipped':
      return { ...node, status: WorkflowRunNodeStatus.SKIPPED };
    case 'node.started':
      return { ...node, status: WorkflowRunNodeStatus.RUNNING };
    case 'node.step.started':
    case 'node.step.succeeded':
      return { ...node, status: WorkflowRunNodeStatus.RUNNING, step: stepOf(event) };
    case 'node.waiting':
      return { ...node, status: WorkflowRunNodeStatus.WAITING, wait: waitOf(event.wait) };
  }
}

const UNMEASURED: NodeMeasures = { usage: undefined, waitedMs: null, log: [], attempts: [] };

/** Adds the measures of an event to those of its node. */
function measure(event: NodeEvent, measures: MeasuresByNode): NodeMeasures {
  const key = JSON.stringify([event.node, event.iteration ?? null]);
  const { usage, waitedMs, log, attempts } = measures.get(key) ?? UNMEASURED;
  const after = {
    usage: 'usage' in event && event.usage ? addUsage(usage, event.usage) : usage,
    waitedMs: 'waitedMs' in event ? (waitedMs ?? 0) + (event.waitedMs ?? 0) : waitedMs,
    log: 'log' in event && event.log ? [...log, ...event.log] : log,
    attempts: attemptsAfter(attempts, event),
  };
  if (FINAL_EVENTS.has(event.type)) measures.delete(key);
  else measures.set(key, after);
  return after;
}

function stepOf(event: Extract<NodeEvent, { type: 'node.step.started' | 'node.step.succeeded' }>): WorkflowRunStep {
  const step = { name: event.step, tool: null, arguments: null, content: null };
  if (event.type === 'node.step.succeeded') return { ...step, content: event.content };
  return { ...step, tool: event.tool ?? null, arguments: event.arguments ?? null };
}

/**
 * Returns the started and skipped nodes in the order of their first event, without nodes of loop bodies. Adds the measures of
 * all nodes, because later changes continue them.
 */
function nodesOf(runId: string, events: JournalEvent[], measures: MeasuresByNode): WorkflowRunNode[] {
  const nodes = new Map<string, WorkflowRunNode>();
  for (const event of events) {
    if (!('node' in event)) continue;
    const node = nodeAfter(runId, event, measures);
    if (node.iteration === null) nodes.set(event.node, node);
  }
  return [...nodes.values()];
}
