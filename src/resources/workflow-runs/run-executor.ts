import type { Vault } from '../../base/crypto.js';
import type { Ports } from '../../engine/ports.js';
import { secretValues, valueMasker } from '../../engine/secrets.js';
import { GraphError } from '../../engine/workflow/graph.js';
import { recordedFrom } from '../../engine/workflow/progress.js';
import { runWorkflow } from '../../engine/workflow/run.js';
import type { Recorded } from '../../engine/workflow/run-event.js';
import type { RevisionStore } from '../workflows/revision-store.js';
import type { JournalEvent, RunJournal } from './run-journal.js';
import type { ClaimedRun } from './run-leases.js';
import { LeaseLostError, type RunRecorder } from './run-recorder.js';
import { RunReport, sealedContentsPlace } from './run-report.js';

/** A run that took its worker down this often ends instead of taking down the next one. */
const MAX_ATTEMPTS = 5;

export interface ExecutorParts {
  revisions: RevisionStore;
  journal: RunJournal;
  recorder: RunRecorder;
  vault: Vault;
  ports: Ports;
  /** Working time of one run, RUN_MAX_SECONDS. */
  maxSeconds: number;
}

/** Executes one claimed run to its end and records what happens; resumes where an earlier worker left off. */
export class RunExecutor {
  constructor(private readonly parts: ExecutorParts) {}

  /** Resolves when the run has ended or is no longer ours; `signal` aborts it without an end. */
  async execute(run: ClaimedRun, signal: AbortSignal): Promise<void> {
    const { graph, secrets: defaults } = await this.parts.revisions.get(run.revisionId);
    const { input, secrets } = this.#open(run);
    const mask = valueMasker(secretValues([...Object.values(secrets), ...Object.values(defaults)]));
    const earlier = run.sequence > 0 ? await this.#resume(run) : { events: [], recorded: undefined };
    const report = new RunReport({ ...this.parts, run, mask, graph: graph instanceof GraphError ? null : graph, earlier: earlier.events });
    if (graph instanceof GraphError) return report.fail(graph.code, graph.message, signal);
    if (run.attempts > MAX_ATTEMPTS) {
      return report.fail('worker_lost', `The run’s worker died ${MAX_ATTEMPTS} times.`, signal);
    }

    const deadline = AbortSignal.timeout(Math.min(this.parts.maxSeconds, MAX_TIMER_SECONDS) * 1_000);
    try {
      const events = runWorkflow({
        graph,
        input,
        runId: run.id,
        ports: this.parts.ports,
        recorded: earlier.recorded,
        signal: AbortSignal.any([signal, deadline, report.lost]),
      });
      for await (const event of events) await report.take(event, signal);
    } catch (error) {
      if (error instanceof LeaseLostError || report.lost.aborted) return;
      if (signal.aborted) throw error;
      if (!deadline.aborted) throw error;
      await report.fail('run_timeout', `The run took longer than ${this.parts.maxSeconds} seconds.`, signal);
    } finally {
      report.close();
    }
  }

  #open({ id, input, sealedInput }: ClaimedRun): { input: Record<string, unknown>; secrets: Record<string, unknown> } {
    const secrets = sealedInput ? JSON.parse(this.parts.vault.open(sealedInput, `workflow_run_payload:sealed_input:${id}`)) : {};
    return { input: { ...input, ...secrets }, secrets };
  }

  async #resume(run: ClaimedRun): Promise<{ events: JournalEvent[]; recorded: Recorded }> {
    const reading = await this.parts.journal.read(run.id);
    const events = reading?.events ?? [];
    const sealed = await this.parts.journal.sealedContents(run.id, run.createdAt);
    const contents = new Map<string, string>();
    for (const { sealed: text, firstSequence } of sealed) {
      const opened: Record<string, string> = JSON.parse(this.parts.vault.open(text, sealedContentsPlace(run.id, firstSequence)));
      for (const [node, content] of Object.entries(opened)) contents.set(node, content);
    }
    const clear = events.map(event => {
      const content = event.type === 'node.succeeded' ? contents.get(event.node) : undefined;
      return content === undefined ? event : ({ ...event, content } as JournalEvent);
    });
    return { events, recorded: recordedFrom(clear) };
  }
}

/** setTimeout counts milliseconds in 32 bits; a longer deadline than this is none in practice. */
const MAX_TIMER_SECONDS = 2_000_000;
