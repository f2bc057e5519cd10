import type { Vault } from '../../base/crypto.js';
import type { ModelRequest, Ports } from '../../engine/ports.js';
import { secretValues, valueMasker } from '../../engine/secrets.js';
import { type Graph, GraphError } from '../../engine/workflow/graph.js';
import { recordedFrom } from '../../engine/workflow/progress.js';
import { runWorkflow } from '../../engine/workflow/run.js';
import type { RunEvent } from '../../engine/workflow/run-event.js';
import type { RunLimits } from '../../engine/workflow/run-options.js';
import type { Budget } from '../billing/budget.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import { engineEvents, type JournalEvent, type RunJournal } from './run-journal.js';
import type { ClaimedRun } from './run-leases.js';
import { unbilledUsage } from './run-ledger.js';
import { sealedInputPlace } from './run-preparer.js';
import { LeaseLostError, type RunRecorder } from './run-recorder.js';
import { RunReport, sealedContentsPlace } from './run-report.js';
import { RunSpending } from './run-spending.js';

/** A run that took its worker down this often ends instead of taking down the next one. */
const MAX_ATTEMPTS = 5;

export interface ExecutorParts {
  revisions: RevisionStore;
  journal: RunJournal;
  recorder: RunRecorder;
  vault: Vault;
  ports: Ports;
  budget: Budget;
  /** The most that a call should cost, in US dollars. */
  estimate: (request: ModelRequest) => Promise<string>;
  /** RUN_MAX_SECONDS and RUN_MAX_BYTES. */
  limits: RunLimits;
}

/** Executes one claimed run to its end and records what happens; resumes where an earlier worker left off. */
export class RunExecutor {
  constructor(private readonly parts: ExecutorParts) {}

  /** Resolves when the run has ended or is no longer ours; `signal` aborts it without an end. */
  async execute(run: ClaimedRun, signal: AbortSignal): Promise<void> {
    const reading = run.sequence > 0 ? await this.parts.journal.read(run.id) : undefined;
    const earlier = reading?.events ?? [];
    const spending = new RunSpending({ ...this.parts, run, llm: this.parts.ports.llm });
    if (reading) await spending.resume([...unbilledUsage(earlier).values()].flat());
    if (run.attempts > MAX_ATTEMPTS) {
      const report = new RunReport({ ...this.parts, run, earlier, spending, graph: null, hide: event => event });
      return report.fail('worker_lost', `The worker of the run died ${MAX_ATTEMPTS} times.`, signal);
    }
    const revision = await this.parts.revisions.get(run.revisionId);
    const { graph } = revision;
    if (graph instanceof GraphError) throw new Error(`run ${run.id} was accepted with a broken graph`);
    const secrets = this.#secretsOf(run);
    const hide = hiderOf(
      graph,
      run.input,
      secretValues([...Object.values(secrets), ...Object.values(revision.secrets)]),
    );
    const report = new RunReport({ ...this.parts, run, earlier, spending, graph, hide });
    try {
      const events = runWorkflow({
        graph,
        input: { ...run.input, ...secrets },
        runId: run.id,
        ports: { ...this.parts.ports, llm: spending },
        recorded: recordedFrom(engineEvents(await this.#inClear(run, earlier))),
        signal: AbortSignal.any([signal, report.lost]),
        limits: this.parts.limits,
      });
      for await (const event of events) await report.take(event, signal);
    } catch (error) {
      if (error instanceof LeaseLostError || report.lost.aborted) return await spending.abandon();
      throw error;
    } finally {
      report.close();
    }
  }

  #secretsOf({ id, sealedInput }: ClaimedRun): Record<string, unknown> {
    return sealedInput ? JSON.parse(this.parts.vault.open(sealedInput, sealedInputPlace(id))) : {};
  }

  /** The journal's events with the contents as they were before masking. */
  async #inClear(run: ClaimedRun, events: JournalEvent[]): Promise<JournalEvent[]> {
    if (events.length === 0) return events;
    const contents = new Map<string, string>();
    for (const { sealed, firstSequence } of await this.parts.journal.sealedContents(run.id, run.createdAt)) {
      const opened: Record<string, string> = JSON.parse(
        this.parts.vault.open(sealed, sealedContentsPlace(run.id, firstSequence)),
      );
      for (const [node, content] of Object.entries(opened)) contents.set(node, content);
    }
    return events.map(event => {
      const content = event.type === 'node.succeeded' ? contents.get(event.node) : undefined;
      return content === undefined ? event : ({ ...event, content } as JournalEvent);
    });
  }
}

/**
 * What of an event may be written down: secrets hidden by value wherever they turn up, and by field in the trigger's
 * content, which is the whole input (a short secret is masked there, though not by value).
 */
function hiderOf(graph: Graph, shownInput: Record<string, unknown>, secrets: string[]): (event: RunEvent) => RunEvent {
  if (secrets.length === 0) return event => event;
  const mask = valueMasker(secrets);
  return event => {
    const isWholeInput =
      event.type === 'node.succeeded' && event.node === graph.start.id && graph.start.kind.type === 'trigger-node';
    return mask(isWholeInput ? { ...event, content: JSON.stringify(shownInput) } : event);
  };
}
