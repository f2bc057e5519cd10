import { CallTimer } from '../../../engine/call-timer.js';
import { type CallContext, type LanguageModel, PortError, type Usage } from '../../../engine/ports.js';
import { proposalRequest, proposedKeywords } from '../../../engine/text/keyword-proposals.js';
import { Stopwords } from '../../../engine/text/stopwords.js';
import { UnreadableError } from '../../../engine/text/unreadable.js';
import type { Outbound } from '../../../platform/outbound/outbound.js';
import { systemClock } from '../../../providers/clock.js';
import type { KeywordReader } from '../../../providers/text/keyword-reader.js';
import type { RunConnections } from '../../connections/runs/run-connections.js';
import type { DocumentSearch } from '../../recognition/document-search.js';
import { fetchPage, pageFetcher } from './fetch-page.js';
import { PRESETS } from './keyword-run.js';
import type { ClaimedKeywordRun } from './keyword-run-claims.js';

export interface KeywordSourceParts {
  outbound: Outbound;
  connections: RunConnections;
  reader: KeywordReader;
  search: DocumentSearch;
  /** Whether a model provider is configured for the project. */
  hasModel: (projectId: number) => Promise<boolean>;
}

/** The keywords found, best first, with the usage of the model call. */
export interface SourceKeywords {
  keywords: string[];
  /** Absent if no model was called. */
  usage?: Usage;
}

/** Maximum number of document chunks to extract keywords from. */
const MAX_CHUNKS = 50;
/** Maximum number of keywords to store, so that a later, greater preset can add more of them. */
const MAX_KEYWORDS = 100;
const MODEL_TIMEOUT_MS = 120_000;

/** Finds the keywords of a run. Throws an `UnreadableError` or `PortError` whose message is shown to the user. */
export class KeywordSource {
  constructor(private readonly parts: KeywordSourceParts) {}

  async find(run: ClaimedKeywordRun, llm: LanguageModel, signal: AbortSignal): Promise<SourceKeywords> {
    if (run.url !== '') return this.#findInPage(run, signal);
    const hasModel = await this.parts.hasModel(run.projectId);
    return hasModel ? this.#askModel(run, llm, signal) : this.#findInDocuments(run, signal);
  }

  async #findInPage(run: ClaimedKeywordRun, signal: AbortSignal): Promise<SourceKeywords> {
    const page = await this.#fetchPage(run, signal);
    return { keywords: assertFound(await this.#read(page, run, signal), 'The page contains no key phrases.') };
  }

  async #fetchPage(run: ClaimedKeywordRun, signal: AbortSignal): Promise<Uint8Array> {
    const { projectId, userId, connectionId, url } = run;
    const fetcher = pageFetcher(this.parts.outbound);
    const caller = { projectId, workflowId: 0, userId: userId ?? 0, runId: null };
    const http = this.parts.connections.http(fetcher, caller, signal);
    return fetchPage(http, { url, ...(connectionId === null ? {} : { connectionId }) }, { signal, id: run.id });
  }

  async #findInDocuments(run: ClaimedKeywordRun, signal: AbortSignal): Promise<SourceKeywords> {
    const { search } = this.parts.search.of(run.projectId);
    const hits = await search({ query: run.topic, documentIds: null, limit: MAX_CHUNKS });
    if (hits.length === 0) {
      const reason =
        'No model provider is configured, and no enabled chunk of the project’s documents matches the topic. Configure a provider, add documents or use a url.';
      throw new UnreadableError(reason);
    }
    const text = Buffer.from(hits.map(hit => hit.text).join('\n\n'));
    return {
      keywords: assertFound(await this.#read(text, run, signal), 'The matching documents contain no key phrases.'),
    };
  }

  #read(content: Uint8Array, { topic, stopwords }: ClaimedKeywordRun, signal: AbortSignal): Promise<string[]> {
    return this.parts.reader.read(content, { count: MAX_KEYWORDS, stopwords, topic }, signal);
  }

  /** Asks a model for keywords. A response without keywords is charged too. */
  async #askModel(run: ClaimedKeywordRun, llm: LanguageModel, signal: AbortSignal): Promise<SourceKeywords> {
    const count = PRESETS[run.preset]!;
    const { text, usage } = await withTimeLimit(signal, within =>
      llm.complete(proposalRequest(run.topic, count), { ...within, idempotencyKey: `${run.id}:keywords` }),
    );
    const stopwords = new Stopwords(run.stopwords);
    const keywords = proposedKeywords(text)
      .filter(keyword => !stopwords.matches(keyword))
      .slice(0, count);
    if (keywords.length === 0) throw new PortError('no_keywords', 'The model proposed no keywords.', { usage });
    return { keywords, usage };
  }
}

/** Limits the duration of a model call, without the time that it waits for a concurrency slot of the provider. */
async function withTimeLimit<T>(
  signal: AbortSignal,
  work: (call: Pick<CallContext, 'signal' | 'waitFor'>) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = new CallTimer(systemClock);
  timer.start(MODEL_TIMEOUT_MS, () => timeout.abort(new DOMException('The time is up.', 'TimeoutError')));
  try {
    const either = AbortSignal.any([signal, timeout.signal]);
    return await timer.run(waitFor => work({ signal: either, waitFor }));
  } catch (error) {
    if (timeout.signal.aborted && !signal.aborted)
      throw new PortError('timeout', `The model did not answer within ${MODEL_TIMEOUT_MS / 1000} seconds.`);
    throw error;
  } finally {
    timer.stop();
  }
}

function assertFound(keywords: string[], reason: string): string[] {
  if (keywords.length === 0) throw new UnreadableError(reason);
  return keywords;
}
