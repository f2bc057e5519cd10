import { traceRun } from '../../../durable/trace-runs.js';
import { environmentValues } from '../../../engine/environment.js';
import type { Ports } from '../../../engine/ports.js';
import { type Graph, GraphError } from '../../../engine/workflow/graph/graph.js';
import { instantPart } from '../../../engine/workflow/run/instant.js';
import { openNodes } from '../../../engine/workflow/run/recorded-state.js';
import { runInGroups } from '../../../engine/workflow/run/run.js';
import type { RunEvent } from '../../../engine/workflow/run/run-event.js';
import type { Vault } from '../../../platform/crypto/crypto.js';
import type { Telemetry } from '../../../platform/tracing/telemetry.js';
import { currentContext, recordRunEnd } from '../../../platform/tracing/work-context.js';
import type { Revision } from '../../workflows/revision-store.js';
import { createEventMasker } from '../execution/event-masker.js';
import { NodeTelemetry } from '../execution/node-telemetry.js';
import type { EarlyStart, Prefix } from '../execution/prefix.js';
import type { ClaimedRun } from '../execution/run-claims.js';
import { RunReport } from '../execution/run-report.js';
import type { RunRecord } from '../journal/run-recorder.js';
import type { NewRun, RunAcceptor } from './run-acceptor.js';
import { openInput, secretsOf } from './sealed-input.js';

/** Memory limit in bytes for a run that waits for its commit. A larger run is executed by a worker. */
const MAX_BYTES = 64 * 1024;

/** The executed part of a run: one record, and its events from before masking. */
interface ExecutedPrefix {
  record: RunRecord;
  unmasked: RunEvent[];
  /** Number of events that were committed together at the end: announced calls, or 1. */
  lastGroupSize: number;
}

/**
 * Executes runs in memory before they are inserted, up to their first external calls or to their end. A prefix that
 * takes too long or exceeds `MAX_BYTES` is discarded; it has no side effects, and the run is inserted without it.
 */
export class EarlyExecution {
  readonly #neverAborted = new AbortController().signal;

  constructor(
    private readonly vault: Vault,
    private readonly ports: Pick<Ports, 'clock'>,
    private readonly telemetry: Telemetry,
    private readonly acceptor: Pick<RunAcceptor, 'startsImmediately'>,
    /** Whether this process completes runs. Otherwise it only starts them. */
    private readonly completesRuns: boolean,
    private readonly filterWatched: (projectIds: readonly number[]) => Promise<ReadonlySet<number>>,
  ) {}

  /**
   * Calls `accept` with the run, whose input is masked and sealed, and with its prefix if there is one. Returns
   * false when the id of the run exists.
   */
  async admit(run: NewRun, revision: Revision, accept: (run: NewRun) => Promise<boolean>): Promise<boolean> {
    const { graph } = revision;
    const isNewRun = run.state === 'queued' && !run.prefix && !run.parentRunId;
    if (!isNewRun || graph instanceof GraphError) return accept(run);
    const part = instantPart(graph);
    if (part === 'all') return this.completesRuns ? this.#admitComplete(run, graph, revision, accept) : accept(run);
    if (part !== 'start' || !this.acceptor.startsImmediately) return accept(run);
    const earlyStart = earlyStartOf(await this.#execute(run, graph, revision));
    return accept(earlyStart ? { ...run, prefix: earlyStart } : run);
  }

  #admitComplete(run: NewRun, graph: Graph, revision: Revision, accept: (run: NewRun) => Promise<boolean>) {
    const { id, projectId } = run;
    return traceRun(this.telemetry, 'workflow', { id, projectId, createdAt: new Date() }, async () => {
      const nodes = new NodeTelemetry(this.telemetry, graph, currentContext());
      const observe = (event: RunEvent) => nodes.observe(event);
      const executed = await this.#execute(run, graph, revision, observe).finally(() => nodes.close());
      const complete = await this.#unlessWatched(run, completePrefixOf(executed));
      const isNew = await accept(complete ? { ...run, prefix: complete } : run);
      if (complete && isNew) {
        const last = executed?.unmasked.at(-1);
        const error = last?.type === 'run.failed' ? { error: last.error.code } : {};
        recordRunEnd({ outcome: complete.end.state, ...error });
      }
      return isNew;
    });
  }

  /** Discards the prefix of a failed run whose project watches failures: only a worker sends the job that handles them. */
  async #unlessWatched({ projectId }: NewRun, complete: ReturnType<typeof completePrefixOf>) {
    if (complete?.end.state !== 'failed') return complete;
    return (await this.filterWatched([projectId])).has(projectId) ? undefined : complete;
  }

  /** Executes the run until its first record. Returns undefined when the run suspends or exceeds `MAX_BYTES`. */
  async #execute(
    run: NewRun,
    graph: Graph,
    { secrets }: Revision,
    observe: (event: RunEvent) => void = () => {},
  ): Promise<ExecutedPrefix | undefined> {
    const hiddenInput = openInput(this.vault, run);
    const records: RunRecord[] = [];
    const report = new RunReport({
      run: asClaimed(run),
      graph,
      vault: this.vault,
      hide: createEventMasker(graph, run.input, secretsOf(hiddenInput, secrets)),
      earlier: [],
      recorder: { record: async record => void records.push(record) },
      claims: {
        suspend: () => Promise.reject(new Error('a run that is not written does not wait')),
        // Without a row, no other process can claim the run.
        assertLease: async () => {},
      },
      spending: { takeSettled: () => [] },
    });
    const signal = this.#neverAborted;
    const unmasked: RunEvent[] = [];
    try {
      let bytes = 0;
      const { id: runId, workflowId } = run;
      const input = { ...run.input, ...hiddenInput.members };
      const environment = environmentValues(hiddenInput.variables);
      // Nodes without external calls use only the clock.
      const ports = this.ports as Ports;
      const options = { graph, input, runId, workflowId, ports, signal, secrets, environment };
      for await (const group of runInGroups(options)) {
        // Not a group of events: the run suspends.
        if ('type' in group) return undefined;
        for (const event of group) if ('content' in event) bytes += Buffer.byteLength(event.content);
        if (bytes > MAX_BYTES) return undefined;
        for (const event of group) observe(event);
        unmasked.push(...group);
        await report.submit(group, signal);
        const [record] = records;
        // A record of only some events comes from the timer of the report: the prefix took too long. With a complete record the
        // engine must not continue, because it would make the announced calls.
        if (record && record.events.length !== unmasked.length) return undefined;
        if (record) return { record, unmasked, lastGroupSize: group.length };
      }
      return undefined;
    } finally {
      report.close();
    }
  }
}

function completePrefixOf(executed: ExecutedPrefix | undefined): (Prefix & Required<Pick<Prefix, 'end'>>) | undefined {
  if (!executed?.record.end) return undefined;
  const { events, sealedContents, ledger, end } = executed.record;
  const state = end.state === 'succeeded' ? 'succeeded' : 'failed';
  return { events, sealedContents, ledger, end: { state, result: end.result } };
}

/**
 * Returns undefined unless calls are announced and no other node is open. Other open nodes would be started a
 * second time.
 */
function earlyStartOf(executed: ExecutedPrefix | undefined): EarlyStart | undefined {
  if (!executed || executed.record.end) return undefined;
  const { record, unmasked, lastGroupSize } = executed;
  const { events, sealedContents, ledger } = record;
  const last = unmasked.at(-1);
  const isCallAhead = last?.type === 'node.started' && last.durable === true;
  return isCallAhead && openNodes(unmasked).length === lastGroupSize
    ? { events, unmasked, sealedContents, ledger }
    : undefined;
}

/** A run in the form that its first claim would have. */
function asClaimed(run: NewRun): ClaimedRun {
  const { id, projectId, revisionId, workflowId, userId, input, sealedInput } = run;
  return {
    ...{ id, projectId, revisionId, workflowId, userId, input, sealedInput },
    ...{ token: 1, attempts: 1, sequence: 0, signals: 0, workedMs: 0, costUsd: '0', createdAt: new Date() },
    leaseExpiresAt: Number.POSITIVE_INFINITY,
    ...{
      parentRunId: null,
      scenarioRunId: null,
      ancestry: [],
      isOrphan: false,
      marketWorkflowId: null,
      runFee: null,
      environment: run.environment ?? null,
      traceparent: null,
    },
  };
}
