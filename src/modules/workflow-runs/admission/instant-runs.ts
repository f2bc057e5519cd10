import { watchRun } from '../../../durable/watch-runs.js';
import type { Ports } from '../../../engine/ports.js';
import { type Graph, GraphError } from '../../../engine/workflow/graph/graph.js';
import { instantPart } from '../../../engine/workflow/run/instant.js';
import { openNodes } from '../../../engine/workflow/run/recorded.js';
import { runWorkflow } from '../../../engine/workflow/run/run.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import { noteRunEnd, presentScope, type RunEnd } from '../../../platform/tracing/scope.js';
import type { Telemetry } from '../../../platform/tracing/telemetry.js';
import type { Revision } from '../../workflows/revision-store.js';
import { NodeWatch } from '../execution/node-watch.js';
import type { ClaimedRun, RunHead } from '../execution/run-claims.js';
import { hiderOf } from '../execution/run-hider.js';
import { RunReport } from '../execution/run-report.js';
import type { RunRecord } from '../journal/run-recorder.js';
import type { NewRun, RunAcceptor } from './run-acceptor.js';
import { openInput, secretsOf } from './sealed-input.js';

/** What runs that wait for their commit may hold in memory: a run that makes more goes the long way. */
const MOST_BYTES = 64 * 1024;

/** What an instant run came to: what is written of it, and what is told of it. */
interface Executed {
  outcome: Required<Pick<NewRun, 'state' | 'result' | 'journal' | 'ledger'>>;
  end: RunEnd;
}

/** As much of a run as was played: one record, and what it says before masking. */
interface Played {
  record: RunRecord;
  clear: RunEvent[];
}

/**
 * Executes runs before they are written, as far as they ask nobody: to their end, with which they come to be in one
 * statement, or to their first call, which is made as soon as they are written. What is not done in an instant after all is
 * forgotten, and goes the long way of the others; nobody outside has heard of it.
 */
export class InstantRuns {
  readonly #never = new AbortController().signal;

  constructor(
    private readonly vault: Vault,
    private readonly ports: Pick<Ports, 'clock'>,
    private readonly telemetry: Telemetry,
    private readonly acceptor: Pick<RunAcceptor, 'beginsAtOnce'>,
  ) {}

  /** Has a run, with its input masked and sealed, written by `accept`: with its end, or its head, where it has one. */
  async admit(run: NewRun, revision: Revision, accept: (run: NewRun) => Promise<boolean>): Promise<boolean> {
    const { graph } = revision;
    const isAlone = run.state === 'queued' && !run.journal && !run.parentRunId;
    if (!isAlone || graph instanceof GraphError) return accept(run);
    const part = instantPart(graph);
    if (part === 'head' && this.acceptor.beginsAtOnce) {
      const head = headOf(await this.#play(run, graph, revision));
      return accept(head ? { ...run, head } : run);
    }
    if (part !== 'all') return accept(run);
    const { id, projectId } = run;
    return watchRun(this.telemetry, 'workflow', { id, projectId, createdAt: new Date() }, async () => {
      const nodes = new NodeWatch(this.telemetry, graph, presentScope());
      const played = await this.#play(run, graph, revision, event => nodes.see(event)).finally(() => nodes.close());
      const executed = executedOf(played);
      const isNew = await accept({ ...run, ...executed?.outcome });
      if (executed && isNew) noteRunEnd(executed.end);
      return isNew;
    });
  }

  /** Undefined when it takes longer than an instant, or more than there is room for. */
  async #play(
    run: NewRun,
    graph: Graph,
    { secrets }: Revision,
    see: (event: RunEvent) => void = () => {},
  ): Promise<Played | undefined> {
    const hidden = openInput(this.vault, run);
    const records: RunRecord[] = [];
    const report = new RunReport({
      run: asClaimed(run),
      graph,
      vault: this.vault,
      hide: hiderOf(graph, run.input, secretsOf(hidden, secrets)),
      earlier: [],
      recorder: { record: async record => void records.push(record) },
      leases: {
        suspend: () => Promise.reject(new Error('an instant run does not wait')),
        // Nobody else knows of it.
        hold: async () => {},
      },
      spending: { settled: () => [] },
    });
    const signal = this.#never;
    const clear: RunEvent[] = [];
    try {
      let bytes = 0;
      const input = { ...run.input, ...hidden.members };
      // Of the ports instant nodes know the clock alone.
      const ports = this.ports as Ports;
      for await (const event of runWorkflow({ graph, input, runId: run.id, ports, signal, secrets })) {
        if ('content' in event) bytes += Buffer.byteLength(event.content);
        if (event.type === 'run.suspended' || bytes > MOST_BYTES) return undefined;
        see(event);
        clear.push(event);
        await report.take(event, signal);
        const [record] = records;
        // Before a call the engine is not asked for more.
        if (record) return record.events.length === clear.length ? { record, clear } : undefined;
      }
      return undefined;
    } finally {
      report.close();
    }
  }
}

function executedOf(played: Played | undefined): Executed | undefined {
  if (!played?.record.end) return undefined;
  const { events, sealedContents, ledger, end } = played.record;
  const state = end.state === 'succeeded' ? 'succeeded' : 'failed';
  const last = played.clear.at(-1);
  return {
    outcome: { state, result: end.result, journal: { events, sealedContents }, ledger },
    end: { outcome: state, ...(last?.type === 'run.failed' ? { error: last.error.code } : {}) },
  };
}

/** Undefined when there is no call ahead: what has its end already is not begun. */
function headOf(played: Played | undefined): RunHead | undefined {
  if (!played || played.record.end) return undefined;
  const { record, clear } = played;
  const { events, sealedContents, ledger } = record;
  const last = clear.at(-1);
  const isCallAhead = last?.type === 'node.started' && last.durable === true;
  // Other nodes that are begun would begin once more.
  return isCallAhead && openNodes(clear).length === 1 ? { events, clear, sealedContents, ledger } : undefined;
}

function asClaimed(run: NewRun): ClaimedRun {
  const { id, projectId, revisionId, workflowId, userId, input, sealedInput } = run;
  return {
    ...{ id, projectId, revisionId, workflowId, userId, input, sealedInput },
    ...{ token: 1, attempts: 1, sequence: 0, signals: 0, workedMs: 0, costUsd: '0', createdAt: new Date() },
    heldUntil: Number.POSITIVE_INFINITY,
    ...{ parentRunId: null, ancestry: [], isOrphan: false, marketWorkflowId: null, runFee: null, traceparent: null },
  };
}
