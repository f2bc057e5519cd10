import DataLoader from 'dataloader';
import { isTerminal } from '../../../engine/status.js';
import { attemptHistory } from '../../../engine/workflow/run/attempt-history.js';
import type { NodeUsage } from '../../../engine/workflow/run/node-usage.js';
import { progressOf } from '../../../engine/workflow/run/progress.js';
import type { NodeError, NodeEvent, RunEvent, Wait } from '../../../engine/workflow/run/run-event.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { finishReasonOf, modelUsage } from '../../billing/model-usage.type.js';
import type { WorkflowRun } from '../history/workflow-run.js';
import {
  type WorkflowRunNode,
  WorkflowRunNodeStatus,
  type WorkflowRunWait,
} from '../history/workflow-run-node.type.js';
import { toAttempts } from './journal-attempts.js';
import { engineEvents, type RunJournal } from './run-journal.js';
import type { RunPayloads } from './run-payloads.js';

type Faults = Record<string, string>[];

/** A stored node entry. For a refused run, `result` lists the validation errors of the node. */
interface NodeRecord {
  id: string;
  status: `${WorkflowRunNodeStatus}`;
  result?: { content: string } | Faults;
  error?: NodeError;
  usage?: NodeUsage;
}

export interface NodeFilter {
  /** Null: all nodes. */
  nodeId: string | null;
  /** Null: the nodes outside loops. */
  iteration: string | null;
}

/** Reads the nodes of runs: from the result, or for an unfinished run from its journal. Nodes of an iteration always come from the journal. */
export class RunNodes {
  constructor(
    private readonly payloads: RunPayloads,
    private readonly journal: RunJournal,
  ) {}

  /**
   * Returns the nodes in the order in which they started. Empty for a run that has not started or whose result has
   * expired.
   */
  async of(
    context: RequestContext,
    run: WorkflowRun,
    { nodeId, iteration }: NodeFilter = { nodeId: null, iteration: null },
  ): Promise<WorkflowRunNode[]> {
    if (run.isExpired || run.state === 'draft') return [];
    const nodes = iteration === null ? this.#outerNodes(context, run) : this.#innerNodes(context, run.id, iteration);
    return nodeId === null ? nodes : (await nodes).filter(node => node.nodeId === nodeId);
  }

  async #outerNodes(context: RequestContext, run: WorkflowRun): Promise<WorkflowRunNode[]> {
    if (!isTerminal(run.state)) return this.#unfinishedNodes(context).load(run.id);
    const { data, waits: slotWaits, logs } = (await this.payloads.of(context, run))?.result ?? {};
    const entries = Object.values((data ?? {}) as Record<string, NodeRecord>);
    const waitedMs = new Map(Object.entries(slotWaits ?? {}));
    const logged = new Map(Object.entries(logs ?? {}));
    return entries.map(entry => ({
      ...nodeOf(run.id, entry, waitedMs.get(entry.id) ?? null),
      log: logged.get(entry.id) ?? [],
    }));
  }

  async #innerNodes(context: RequestContext, runId: string, iteration: string): Promise<WorkflowRunNode[]> {
    const events = await this.#events(context).load(runId);
    const inner = events.flatMap(event =>
      'iteration' in event && event.iteration === iteration ? [toOuterEvent(event)] : [],
    );
    return nodesIn(runId, inner).map(node => ({ ...node, iteration }));
  }

  #events(context: RequestContext): DataLoader<string, readonly RunEvent[]> {
    return context.loader(
      'workflow-run.events',
      () =>
        new DataLoader<string, readonly RunEvent[]>(async ids => {
          const events = await this.journal.eventsOf(ids);
          return ids.map(id => engineEvents(events.get(id) ?? []));
        }),
    );
  }

  /** Loads the nodes of all unfinished runs of a list with one query. */
  #unfinishedNodes(context: RequestContext): DataLoader<string, WorkflowRunNode[]> {
    return context.loader(
      'workflow-run.nodes',
      () =>
        new DataLoader<string, WorkflowRunNode[]>(async ids => {
          const events = await this.journal.eventsOf(ids);
          return ids.map(id => nodesIn(id, engineEvents(events.get(id) ?? [])));
        }),
    );
  }
}

/** An event of an iteration as an event of the graph itself. */
function toOuterEvent(event: NodeEvent): RunEvent {
  const { iteration: _, ...rest } = event;
  return rest;
}

function nodesIn(runId: string, events: readonly RunEvent[]): WorkflowRunNode[] {
  const { nodes, slotWaits, openWaits, logs } = progressOf(events);
  const attempts = attemptHistory(events);
  return [...nodes.values()].map(entry => {
    const wait = openWaits.get(entry.id);
    return {
      ...nodeOf(runId, entry, slotWaits.get(entry.id) ?? null),
      ...(wait ? { status: WorkflowRunNodeStatus.WAITING, wait: waitOf(wait) } : {}),
      log: logs.get(entry.id) ?? [],
      recordedAttempts: toAttempts(attempts.get(entry.id) ?? []),
    };
  });
}

function nodeOf(
  runId: string,
  { id, status, result, error, usage }: NodeRecord,
  waitedMs: number | null,
): Omit<WorkflowRunNode, 'log'> {
  const isRefused = Array.isArray(result);
  return {
    runId,
    nodeId: id,
    status,
    content: result && !isRefused ? result.content : null,
    error: isRefused ? { code: 'invalid_settings', message: faultsIn(result) } : (error ?? null),
    usage: modelUsage(usage),
    finishReason: finishReasonOf(usage),
    waitedMs,
    iteration: null,
    step: null,
    wait: null,
  };
}

/** Converts the wait of a node to the form that clients receive. */
export function waitOf(wait: Wait): WorkflowRunWait {
  return {
    kind: wait.kind,
    until: wait.until === undefined ? null : new Date(wait.until),
    requestId: wait.kind === 'approval' ? wait.request.id : null,
    eventName: wait.kind === 'event' ? wait.request.name : null,
    correlationKey: wait.kind === 'event' ? wait.request.key : null,
    runId: wait.kind === 'run' ? wait.runId : null,
    scenarioRunId: wait.kind === 'scenario' ? Number(wait.runId) : null,
  };
}

function faultsIn(faults: Faults): string {
  return faults
    .flatMap(fault => Object.entries(fault))
    .map(([path, message]) => `${path}: ${message}`)
    .join('; ');
}
