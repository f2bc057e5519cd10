import type { Vault } from '../../base/crypto.js';
import type { Ports } from '../../engine/ports.js';
import { GraphError } from '../../engine/workflow/graph.js';
import { isInstant } from '../../engine/workflow/instant.js';
import { runWorkflow } from '../../engine/workflow/run.js';
import type { Revision } from '../workflows/revision-store.js';
import type { NewRun } from './run-acceptor.js';
import { hiderOf } from './run-hider.js';
import type { ClaimedRun } from './run-leases.js';
import type { RunRecord } from './run-recorder.js';
import { RunReport } from './run-report.js';
import { openInput, secretsOf } from './sealed-input.js';

/** What runs that wait for their commit may hold in memory: a run that makes more goes the long way. */
const MOST_BYTES = 64 * 1024;

/** What an instant run came to. */
export type Executed = Required<Pick<NewRun, 'state' | 'result' | 'journal' | 'ledger'>>;

/**
 * Executes runs that ask nobody before they are written: they come to be with their end, in one statement. What is not
 * done in an instant after all is forgotten, and goes the long way of the others; nobody outside has heard of it.
 */
export class InstantRuns {
  readonly #never = new AbortController().signal;

  constructor(
    private readonly vault: Vault,
    private readonly ports: Pick<Ports, 'clock'>,
  ) {}

  /** `run`: with its input masked and sealed. Undefined when the run is not one of them. */
  async execute(run: NewRun, revision: Revision): Promise<Executed | undefined> {
    const { graph, secrets } = revision;
    if (graph instanceof GraphError || !isInstant(graph) || run.journal || run.parentRunId) return undefined;
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
    try {
      let bytes = 0;
      const input = { ...run.input, ...hidden.members };
      // Of the ports instant nodes know the clock alone.
      const ports = this.ports as Ports;
      for await (const event of runWorkflow({ graph, input, runId: run.id, ports, signal, secrets })) {
        if ('content' in event) bytes += Buffer.byteLength(event.content);
        if (event.type === 'run.suspended' || bytes > MOST_BYTES) return undefined;
        await report.take(event, signal);
      }
    } finally {
      report.close();
    }
    const [record, another] = records;
    if (!record?.end || another) return undefined;
    const { events, sealedContents, ledger, end } = record;
    return {
      state: end.state === 'succeeded' ? 'succeeded' : 'failed',
      result: end.result,
      journal: { events, sealedContents },
      ledger,
    };
  }
}

function asClaimed(run: NewRun): ClaimedRun {
  const { id, projectId, revisionId, workflowId, userId, input, sealedInput } = run;
  return {
    ...{ id, projectId, revisionId, workflowId, userId, input, sealedInput },
    ...{ token: 1, attempts: 1, sequence: 0, signals: 0, workedMs: 0, costUsd: '0', createdAt: new Date() },
    ...{ parentRunId: null, ancestry: [], isOrphan: false, marketWorkflowId: null, runFee: null },
  };
}
