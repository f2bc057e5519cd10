import DataLoader from 'dataloader';
import { isTerminal } from '../../../engine/status.js';
import type { NodeUsage } from '../../../engine/workflow/run/node-usage.js';
import { type ApprovalView, progressOf } from '../../../engine/workflow/run/progress.js';
import type { NodeError } from '../../../engine/workflow/run/run-event.js';
import type { RequestContext } from '../../accounts/request-context.js';
import { modelUsage } from '../../billing/model-usage.type.js';
import type { WorkflowRun } from '../history/workflow-run.js';
import type { WorkflowRunNode } from '../history/workflow-run-node.type.js';
import { engineEvents, type RunJournal } from './run-journal.js';
import type { RunPayloads } from './run-payloads.js';

type Faults = Record<string, string>[];

/** A stored node entry. For a refused run, `result` lists the validation errors of the node. */
interface NodeRecord {
  id: string;
  status: string;
  result?: { content: string } | Faults;
  error?: NodeError;
  usage?: NodeUsage;
  approval?: ApprovalView;
}

/** Reads the nodes of runs: from the result, or for an unfinished run from its journal. */
export class RunNodes {
  constructor(
    private readonly payloads: RunPayloads,
    private readonly journal: RunJournal,
  ) {}

  /**
   * Returns the nodes in the order in which they started. Empty for a run that has not started or whose result has
   * expired.
   */
  async of(context: RequestContext, run: WorkflowRun): Promise<WorkflowRunNode[]> {
    if (run.expired || run.state === 'draft') return [];
    if (!isTerminal(run.state)) return this.#underWay(context).load(run.id);
    const { data, waits } = (await this.payloads.of(context, run))?.result ?? {};
    return nodesOf(Object.values((data ?? {}) as Record<string, NodeRecord>), new Map(Object.entries(waits ?? {})));
  }

  /** Loads the nodes of all unfinished runs of a list with one query. */
  #underWay(context: RequestContext): DataLoader<string, WorkflowRunNode[]> {
    return context.loader(
      'workflow-run.nodes',
      () =>
        new DataLoader<string, WorkflowRunNode[]>(async ids => {
          const events = await this.journal.eventsOf(ids);
          return ids.map(id => {
            const { nodes, waits } = progressOf(engineEvents(events.get(id) ?? []));
            return nodesOf([...nodes.values()], waits);
          });
        }),
    );
  }
}

function nodesOf(entries: readonly NodeRecord[], waits: ReadonlyMap<string, number>): WorkflowRunNode[] {
  return entries.map(entry => nodeOf(entry, waits.get(entry.id) ?? null));
}

function nodeOf({ id, status, result, error, usage, approval }: NodeRecord, waitedMs: number | null): WorkflowRunNode {
  const isRefused = Array.isArray(result);
  return {
    id,
    status,
    content: result && !isRefused ? result.content : null,
    error: isRefused ? { code: 'invalid_settings', message: faultsIn(result) } : (error ?? null),
    usage: modelUsage(usage),
    waitedMs,
    iteration: null,
    step: null,
    wait: approval
      ? {
          kind: 'approval',
          until: new Date(approval.expires_at),
          requestId: approval.request_id,
          runId: null,
          scenarioRunId: null,
        }
      : null,
  };
}

function faultsIn(faults: Faults): string {
  return faults
    .flatMap(fault => Object.entries(fault))
    .map(([path, message]) => `${path}: ${message}`)
    .join('; ');
}
