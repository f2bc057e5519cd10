import type { Vault } from '../../base/crypto.js';
import { noteRunEnd, presentScope, type RunEnd } from '../../base/scope.js';
import type { Telemetry } from '../../base/telemetry.js';
import { watchRun } from '../../base/watch-runs.js';
import type { Ports } from '../../engine/ports.js';
import { type Graph, GraphError } from '../../engine/workflow/graph.js';
import { isInstant } from '../../engine/workflow/instant.js';
import { runWorkflow } from '../../engine/workflow/run.js';
import type { Revision } from '../workflows/revision-store.js';
import { NodeWatch } from './node-watch.js';
import type { NewRun } from './run-acceptor.js';
import { hiderOf } from './run-hider.js';
import type { ClaimedRun } from './run-leases.js';
import type { RunRecord } from './run-recorder.js';
import { RunReport } from './run-report.js';
import { openInput, secretsOf } from './sealed-input.js';

/** What runs that wait for their commit may hold in memory: a run that makes more goes the long way. */
const MOST_BYTES = 64 * 1024;

/** What an instant run came to: what is written of it, and what is told of it. */
interface Executed {
  outcome: Required<Pick<NewRun, 'state' | 'result' | 'journal' | 'ledger'>>;
  end: RunEnd;
}

/**
 * Executes runs that ask nobody before they are written: they come to be with their end, in one statement. What is not
 * done in an instant after all is forgotten, and goes the long way of the others; nobody outside has heard of it.
 */
export class InstantRuns {
  readonly #never = new AbortController().signal;

  constructor(
    private readonly vault: Vault,
    private readonly ports: Pick<Ports, 'clock'>,
    private readonly telemetry: Telemetry,
  ) {}

  /** Has a run, with its input masked and sealed, written by `accept`: with its end where it is one of them. */
  async admit(run: NewRun, revision: Revision, accept: (run: NewRun) => Promise<boolean>): Promise<boolean> {
    const { graph } = revision;
    const isAlone = run.state === 'queued' && !run.journal && !run.parentRunId;
    if (!isAlone || graph instanceof GraphError || !isInstant(graph)) return accept(run);
    const { id, projectId } = run;
    return watchRun(this.telemetry, 'workflow', { id, projectId, createdAt: new Date() }, async () => {
      const executed = await this.#execute(run, graph, revision);
      const isNew = await accept({ ...run, ...executed?.outcome });
      if (executed && isNew) noteRunEnd(executed.end);
      return isNew;
    });
  }

  /** Undefined when it is not done in an instant after all. */
  async #execute(run: NewRun, graph: Graph, { secrets }: Revision): Promise<Executed | undefined> {
    const hidden = openInput(this.vault, run);
    const records: RunRecord[] = [];
    const report = new RunReport({
      run: asClaimed(run),
      graph,
      vault: this.vault,
      hide: hiderOf(graph, run.input, secretsOf(hidden, secrets)),
      earlier: [],
      recorder: { record: async record => void records.push(record) },
      leases: { suspend: () => Promise.reject(new Error('an instant run does not wait')) },
      spending: { settled: () => [] },
    });
    const signal = this.#never;
    const nodes = new NodeWatch(this.telemetry, graph, presentScope());
    let error: string | undefined;
    try {
      let bytes = 0;
      const input = { ...run.input, ...hidden.members };
      // Of the ports instant nodes know the clock alone.
      const ports = this.ports as Ports;
      for await (const event of runWorkflow({ graph, input, runId: run.id, ports, signal, secrets })) {
        if ('content' in event) bytes += Buffer.byteLength(event.content);
        if (event.type === 'run.suspended' || bytes > MOST_BYTES) return undefined;
        nodes.see(event);
        await report.take(event, signal);
        if (event.type === 'run.failed') error = event.error.code;
      }
    } finally {
      nodes.close();
      report.close();
    }
    const [record, another] = records;
    if (!record?.end || another) return undefined;
    const { events, sealedContents, ledger, end } = record;
    const state = end.state === 'succeeded' ? 'succeeded' : 'failed';
    return {
      outcome: { state, result: end.result, journal: { events, sealedContents }, ledger },
      end: { outcome: state, ...(error === undefined ? {} : { error }) },
    };
  }
}

function asClaimed(run: NewRun): ClaimedRun {
  const { id, projectId, revisionId, workflowId, userId, input, sealedInput } = run;
  return {
    ...{ id, projectId, revisionId, workflowId, userId, input, sealedInput },
    ...{ token: 1, attempts: 1, sequence: 0, signals: 0, workedMs: 0, costUsd: '0', createdAt: new Date() },
    ...{ parentRunId: null, ancestry: [], isOrphan: false, marketWorkflowId: null, runFee: null, traceparent: null },
  };
}
