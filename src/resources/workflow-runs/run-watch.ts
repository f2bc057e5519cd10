import { Repeater } from '@repeaterjs/repeater';
import type { Bus } from '../../base/bus.js';
import { executionLabels, isTerminal, type RunState } from '../../engine/status.js';
import { addUsage, type NodeUsage } from '../../engine/workflow/node-usage.js';
import type { Viewer } from '../accounts/viewer.js';
import { modelUsage } from '../billing/model-usage.type.js';
import type { JournalEvent, JournalReading, RunJournal } from './run-journal.js';
import type { WorkflowRunService } from './workflow-run.service.js';
import { type WorkflowRunChange, WorkflowRunChangeKind } from './workflow-run-change.type.js';
import type { WorkflowRunNode } from './workflow-run-node.type.js';

/** Looked at this often even when nothing rang: a notification lost with its connection costs no more than this. */
const BACKSTOP_MS = 5_000;

/** Runs, live: every subscriber reads the journal from where it stands, woken by the bus. */
export class RunWatch {
  constructor(
    private readonly runs: WorkflowRunService,
    private readonly journal: RunJournal,
    private readonly bus: Bus,
  ) {}

  /** Throws NOT_FOUND before the first change when the run is not the viewer's. */
  async changes(
    viewer: Viewer,
    runId: string,
    afterSequence: number | null,
  ): Promise<AsyncIterable<WorkflowRunChange>> {
    await this.runs.get(viewer, runId);
    return new Repeater<WorkflowRunChange>(async (push, stop) => {
      let wake = () => {};
      let rung = false;
      const ring = () => {
        rung = true;
        wake();
      };
      const unsubscribe = this.bus.subscribe(`run:${runId}`, ring);
      let stopped = false;
      void stop.then(() => {
        stopped = true;
        unsubscribe();
        ring();
      });
      try {
        const used: UsedSoFar = new Map();
        let last = 0;
        let first = afterSequence === null;
        while (!stopped) {
          rung = false;
          const reading = await this.journal.read(runId, last);
          if (!reading) break;
          if (first) {
            await push(snapshot(runId, reading, used));
            first = false;
          } else {
            for (const event of reading.events) {
              if (stopped) return;
              const change = changeOf(runId, event, used);
              // Seen by the subscriber already: read once more for what its nodes have used so far.
              if (event.sequence <= (afterSequence ?? 0)) continue;
              // Waits until the subscriber has taken it: a slow one holds one reading, never a growing queue.
              await push(change);
            }
          }
          last = Math.max(last, reading.sequence);
          if (isTerminal(reading.state as RunState)) break;
          if (!rung) {
            await new Promise<void>(resolve => {
              const timer = setTimeout(resolve, BACKSTOP_MS);
              wake = () => {
                clearTimeout(timer);
                resolve();
              };
            });
          }
        }
        stop();
      } catch (error) {
        stop(error);
      } finally {
        unsubscribe();
      }
    });
  }
}

/** What each node's models have used, up to the event that was looked at last. */
type UsedSoFar = Map<string, NodeUsage>;

function snapshot(runId: string, { state, sequence, events }: JournalReading, used: UsedSoFar): WorkflowRunChange {
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

function changeOf(runId: string, event: JournalEvent, used: UsedSoFar): WorkflowRunChange {
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

function nodeAfter(event: Extract<JournalEvent, { node: string }>, used: UsedSoFar): WorkflowRunNode {
  if ('usage' in event && event.usage) used.set(event.node, addUsage(used.get(event.node), event.usage));
  const node = { id: event.node, content: null, error: null, usage: modelUsage(used.get(event.node)) };
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
  }
}

/** Nodes that have begun or were skipped, in the order in which they were first heard of. */
function nodesOf(events: JournalEvent[], used: UsedSoFar): WorkflowRunNode[] {
  const nodes = new Map<string, WorkflowRunNode>();
  for (const event of events) if ('node' in event) nodes.set(event.node, nodeAfter(event, used));
  return [...nodes.values()];
}
