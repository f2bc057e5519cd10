import { WORKER_LOST } from '../../../durable/dead-letters.js';
import type { LanguageModel, Usage } from '../../../engine/ports.js';
import { PortError } from '../../../engine/ports.js';
import { UnreadableError } from '../../../engine/text/unreadable.js';
import { recordRunEnd } from '../../../platform/tracing/work-context.js';
import type { Clusterer } from '../../../providers/text/clusterer.js';
import type { Budget } from '../../billing/budgets/budget.js';
import { RunSpending } from '../../billing/run-spending.js';
import type { ModelsOfRun } from '../../provider-keys/project-models.js';
import { toClusterable } from '../keyword-clusters.js';
import { PRESETS } from './keyword-run.js';
import type { ClaimedKeywordRun } from './keyword-run-claims.js';
import { type KeywordRunEnd, KeywordRunLostError, type KeywordRunRecorder } from './keyword-run-recorder.js';
import type { KeywordSource } from './keyword-source.js';

/** A run fails permanently after its worker died this many times. */
const MAX_ATTEMPTS = 3;

export interface KeywordExecutorParts {
  source: KeywordSource;
  clusterer: Clusterer;
  recorder: KeywordRunRecorder;
  budget: Budget;
  modelsOf: (projectId: number) => ModelsOfRun;
}

/** Executes claimed keyword runs. */
export class KeywordRunExecutor {
  constructor(private readonly parts: KeywordExecutorParts) {}

  /** Executes one run. Resolves when it has ended or the lease is lost. `signal` aborts without ending the run. */
  async execute(run: ClaimedKeywordRun, signal: AbortSignal): Promise<undefined> {
    const spending = new RunSpending({ ...this.parts, ...this.parts.modelsOf(run.projectId), run });
    try {
      // Releases the reservations of a worker that died.
      if (run.attempts > 1) await spending.resume([]);
      const { usage, ...end } = await this.#determineEnd(run, spending, signal);
      const settled = spending.takeSettled(usage ? [usage] : []);
      await this.parts.recorder.end(run, { ...end, usage, settled }, signal);
      recordRunEnd(
        end.error === null
          ? { outcome: 'succeeded' }
          : { outcome: 'failed', error: end.isWorkerLost ? WORKER_LOST : 'unreadable' },
      );
    } catch (error) {
      await spending.abandon();
      if (!(error instanceof KeywordRunLostError)) throw error;
    }
  }

  async #determineEnd(
    run: ClaimedKeywordRun,
    llm: LanguageModel,
    signal: AbortSignal,
  ): Promise<Omit<KeywordRunEnd, 'settled'>> {
    if (run.attempts > MAX_ATTEMPTS)
      return {
        ...failedEnd(`The worker process died ${MAX_ATTEMPTS} times during the search for keywords.`),
        isWorkerLost: true,
      };
    try {
      const { keywords, usage } = await this.parts.source.find(run, llm, signal);
      return { keywords, clusters: await this.#clusterKeywords(run, keywords, signal), error: null, usage };
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof UnreadableError) return failedEnd(error.message);
      if (error instanceof PortError) return failedEnd(error.message, error.usage);
      throw error;
    }
  }

  async #clusterKeywords(
    { preset, doClusterize, projectId }: ClaimedKeywordRun,
    keywords: readonly string[],
    signal: AbortSignal,
  ) {
    if (!doClusterize) return null;
    const candidates = keywords
      .slice(0, PRESETS[preset])
      .map((name, rank) => toClusterable({ name, volume: null, rank }));
    return this.parts.clusterer.clusters(projectId, candidates, signal);
  }
}

function failedEnd(error: string, usage?: Usage): Omit<KeywordRunEnd, 'settled'> {
  return { keywords: [], clusters: null, error, usage };
}
