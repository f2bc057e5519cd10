import { executionLabels, isTerminal, type RunState } from '../../../engine/status.js';
import { addUsage, type NodeUsage } from '../../../engine/workflow/run/node-usage.js';
import type { Wait } from '../../../engine/workflow/run/run-event.js';
import { SharedReads } from '../../../platform/memory/shared-reads.js';
import type { Bus } from '../../../platform/messaging/bus.js';
import { streamChanges } from '../../../platform/messaging/changes.js';
import type { Viewer } from '../../accounts/viewer.js';
import { modelUsage } from '../../billing/model-usage.type.js';
import type { WorkflowRunService } from '../history/workflow-run.service.js';
import type { WorkflowRunNode, WorkflowRunStep, WorkflowRunWait } from '../history/workflow-run-node.type.js';
import type { JournalEvent, JournalReading, RunJournal } from '../journal/run-journal.js';
import { type WorkflowRunChange, WorkflowRunChangeKind } from './workflow-run-change.type.js';

/** Streams changes of runs. Each subscriber reads the journal from its own position when the bus notifies it. */
export class RunWatch {
  readonly #readings = new SharedReads<JournalReading | undefined>();
  readonly #changes = new WeakMap<JournalEvent, WorkflowRunChange>();

  constructor(
    private readonly runs: WorkflowRunService,
    private readonly journal: RunJournal,
    private readonly bus: Bus,
  ) {}

  /**
   * Streams the changes of a run. Throws NotFoundError ahead of the first change when the run is not visible to the
   * viewer.
   */
  async changes(
    viewer: Viewer,
    runId: string,
    afterSequence: number | null,
  ): Promise<AsyncIterable<WorkflowRunChange>> {
    await this.runs.get(viewer, runId);
    return streamChanges<WorkflowRunChange>(this.bus.topicSource(`run:${runId}`), async ({ send, nextChange }) => {
      const used: UsageByNode = new Map();
      let last = 0;
      let first = afterSequence === null;
      do {
        // The journal is read with the rights of the viewer. For a viewer who has left the project, the run appears
        // deleted.
        const reading = await this.#read(viewer, runId, last);
        if (!reading) return;
        if (first) {
          if (!(await send(snapshot(runId, reading, used)))) return;
          first = false;
        } else {
          for (const event of reading.events) {
            const change = this.#shared(event, changeOf(runId, event, used));
            // Events up to `afterSequence` are read only for the usage of their nodes.
            if (event.sequence > (afterSequence ?? 0) && !(await send(change))) return;
          }
        }
        last = Math.max(last, reading.sequence);
        if (isTerminal(reading.state as RunState)) return;
      } while (await nextChange());
    });
  }

  /** Returns the same change for all subscribers, because the usage up to an event is the same for all. */
  #shared(event: JournalEvent, change: WorkflowRunChange): WorkflowRunChange {
    const existing = this.#changes.get(event);
    if (existing) return existing;
    this.#changes.set(event, change);
    return change;
  }

  /** Subscribers of the same viewer at the same position share one read. */
  #read(viewer: Viewer, runId: string, after: number): Promise<JournalReading | undefined> {
    const reader = viewer.isAdmin ? 'admin' : viewer.userId;
    return this.#readings.read(`${runId} ${after} ${reader}`, () => this.journal.read(runId, after, viewer));
  }
}

/** Model usage and waiting time of each node up to the last processed event. */
type UsageByNode = Map<string, { usage?: NodeUsage | undefined; waitedMs?: number | undefined }>;

function snapshot(runId: string, { state, sequence, events }: JournalReading, used: UsageByNode): WorkflowRunChange {
  return {
    runId,
    sequence,
    kind: WorkflowRunChangeKind.SNAPSHOT,
    at: new Date(),
    status: executionLabels[state as RunState],
    node: null,
    nodes: nodesOf(events, used),
  };
}

function changeOf(runId: string, event: JournalEvent, used: UsageByNode): WorkflowRunChange {
  return {
    runId,
    sequence: event.sequence,
    kind: event.type as WorkflowRunChangeKind,
    at: new Date(event.at),
    status: STATUS_AFTER[event.type] ?? executionLabels.running,
    node: 'node' in event ? nodeAfter(event, used) : null,
    nodes: [],
  };
}

const STATUS_AFTER: Partial<Record<JournalEvent['type'], string>> = {
  'run.succeeded': executionLabels.succeeded,
  'run.failed': executionLabels.failed,
  'run.cancelled': executionLabels.cancelled,
};

function nodeAfter(event: Extract<JournalEvent, { node: string }>, used: UsageByNode): WorkflowRunNode {
  const { node: id, iteration = null } = event;
  const soFar = measure(event, used);
  const measured = { usage: modelUsage(soFar?.usage), waitedMs: soFar?.waitedMs ?? null };
  const node = { id, iteration, content: null, error: null, step: null, wait: null, ...measured };
  switch (event.type) {
    case 'node.succeeded':
      return { ...node, status: 'succeed', content: event.content };
    case 'node.failed':
      return { ...node, status: 'failed', error: event.error };
    case 'node.retrying':
      return { ...node, status: 'in progress', error: event.error };
    case 'node.skipped':
      return { ...node, status: 'skipped' };
    case 'node.started':
      return { ...node, status: 'in progress' };
    case 'node.step.started':
    case 'node.step.succeeded':
      return { ...node, status: 'in progress', step: stepOf(event) };
    case 'node.waiting':
      return { ...node, status: 'in progress', wait: waitOf(event.wait) };
  }
}

/** Adds the usage and waiting time of an event to those of its node. */
function measure(event: Extract<JournalEvent, { node: string }>, used: UsageByNode) {
  const key = JSON.stringify([event.node, event.iteration ?? null]);
  let soFar = used.get(key);
  if ('usage' in event && event.usage) soFar = { ...soFar, usage: addUsage(soFar?.usage, event.usage) };
  if ('waitedMs' in event) soFar = { ...soFar, waitedMs: (soFar?.waitedMs ?? 0) + (event.waitedMs ?? 0) };
  if (soFar) used.set(key, soFar);
  return soFar;
}

function stepOf(event: Extract<JournalEvent, { type: 'node.step.started' | 'node.step.succeeded' }>): WorkflowRunStep {
  const step = { name: event.step, tool: null, arguments: null, content: null };
  if (event.type === 'node.step.succeeded') return { ...step, content: event.content };
  return { ...step, tool: event.tool ?? null, arguments: event.arguments ?? null };
}

function waitOf(wait: Wait): WorkflowRunWait {
  return {
    kind: wait.kind,
    until: wait.until === undefined ? null : new Date(wait.until),
    requestId: wait.kind === 'approval' ? wait.request.id : null,
    runId: wait.kind === 'run' ? wait.runId : null,
    scenarioRunId: wait.kind === 'scenario' ? Number(wait.runId) : null,
  };
}

/** Returns the started and skipped nodes in the order of their first event, without nodes of loop bodies. */
function nodesOf(events: JournalEvent[], used: UsageByNode): WorkflowRunNode[] {
  const nodes = new Map<string, WorkflowRunNode>();
  for (const event of events)
    if ('node' in event && event.iteration === undefined) nodes.set(event.node, nodeAfter(event, used));
  return [...nodes.values()];
}
