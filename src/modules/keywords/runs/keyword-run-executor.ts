import type { LanguageModel, Usage } from '../../../engine/ports.js';
import { PortError } from '../../../engine/ports.js';
import { UnreadableError } from '../../../engine/text/unreadable.js';
import { noteRunEnd } from '../../../platform/tracing/scope.js';
import type { Clusterer } from '../../../providers/text/clusterer.js';
import type { Budget } from '../../billing/budgets/budget.js';
import { RunSpending } from '../../billing/run-spending.js';
import type { ModelsOfRun } from '../../provider-keys/project-models.js';
import { clusterable } from '../keyword-clusters.js';
import { PRESETS } from './keyword-run.js';
import type { ClaimedKeywordRun } from './keyword-run-claims.js';
import { type KeywordRunEnd, KeywordRunLostError, type KeywordRunRecorder } from './keyword-run-recorder.js';
import type { KeywordSource } from './keyword-source.js';

/** Times that a run is begun before it is given up. */
const MAX_ATTEMPTS = 3;

export interface KeywordExecutorParts {
  source: KeywordSource;
  clusterer: Clusterer;
  recorder: KeywordRunRecorder;
  budget: Budget;
  modelsOf: (projectId: number) => ModelsOfRun;
}

/** Executes one claimed run to its end. */
export class KeywordRunExecutor {
  constructor(private readonly parts: KeywordExecutorParts) {}

  /** Resolves when the run has ended or is no longer ours; `signal` aborts it without an end. */
  async execute(run: ClaimedKeywordRun, signal: AbortSignal): Promise<undefined> {
    const spending = new RunSpending({ ...this.parts, ...this.parts.modelsOf(run.projectId), run });
    try {
      // What a dead worker had reserved is left over.
      if (run.attempts > 1) await spending.resume([]);
      const { usage, ...end } = await this.#endOf(run, spending, signal);
      const settled = spending.settled(usage ? [usage] : []);
      await this.parts.recorder.end(run, { ...end, usage, settled }, signal);
      noteRunEnd(end.error === null ? { outcome: 'succeeded' } : { outcome: 'failed', error: 'unreadable' });
    } catch (error) {
      await spending.abandon();
      if (!(error instanceof KeywordRunLostError)) throw error;
    }
  }

  async #endOf(
    run: ClaimedKeywordRun,
    llm: LanguageModel,
    signal: AbortSignal,
  ): Promise<Omit<KeywordRunEnd, 'settled'>> {
    if (run.attempts > MAX_ATTEMPTS)
      return { ...failed(`Looking for keywords broke off ${MAX_ATTEMPTS} times.`), isWorkerLost: true };
    try {
      const { keywords, usage } = await this.parts.source.find(run, llm, signal);
      return { keywords, clusters: await this.#clusters(run, keywords, signal), error: null, usage };
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof UnreadableError) return failed(error.message);
      if (error instanceof PortError) return failed(error.message, error.usage);
      throw error;
    }
  }

  async #clusters({ preset, doClusterize }: ClaimedKeywordRun, keywords: readonly string[], signal: AbortSignal) {
    if (!doClusterize) return null;
    const given = keywords.slice(0, PRESETS[preset]).map((name, rank) => clusterable({ name, volume: null, rank }));
    return this.parts.clusterer.clusters(given, signal);
  }
}

function failed(error: string, usage?: Usage): Omit<KeywordRunEnd, 'settled'> {
  return { keywords: [], clusters: null, error, usage };
}
