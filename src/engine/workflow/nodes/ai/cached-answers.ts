import type { CallContext, LanguageModel, ModelAnswer, ModelRequest } from '../../../ports.js';

/** Maximum age of a stored answer, in seconds: 30 days. */
export const MAX_CACHE_SECONDS = 2_592_000;

/** Answers of models to earlier requests of the project. */
export interface AnswerCache {
  /** Returns the newest answer to an equal request that is at most `maxSeconds` old. */
  find(request: ModelRequest, maxSeconds: number): Promise<CachedAnswer | null>;
  /** Stores an answer for `seconds`. A failure is logged, not thrown: the answer is already paid. */
  keep(request: ModelRequest, answer: CachedAnswer, seconds: number): Promise<void>;
}

/** A stored answer, with the idempotency key of the call that paid it. */
export type CachedAnswer = Omit<ModelAnswer, 'bytes'> & { paidBy: string };

/**
 * Returns a model port that answers requests with `cacheSeconds` from the cache if it can. Such an answer costs nothing, and
 * its usage states what was saved. Only complete answers are stored.
 */
export function withCachedAnswers(llm: LanguageModel, cache: AnswerCache): LanguageModel {
  return {
    complete: async ({ cacheSeconds, ...request }, call) => {
      if (cacheSeconds === undefined) return llm.complete(request, call);
      const found = await cache.find(request, cacheSeconds);
      if (found) return answerOf(found, call);
      const answer = await llm.complete(request, call);
      if (isComplete(answer)) await cache.keep(request, { ...answer, paidBy: call.idempotencyKey }, cacheSeconds);
      return answer;
    },
  };
}

function answerOf({ paidBy, ...answer }: CachedAnswer, { idempotencyKey }: CallContext): ModelAnswer {
  // This call has paid for the answer, and its process died before the run recorded it.
  if (paidBy === idempotencyKey) return answer;
  const { costUsd, ...usage } = answer.usage;
  return {
    ...answer,
    usage: { ...usage, promptTokens: 0, completionTokens: 0, costUsd: '0', savedUsd: costUsd ?? '0' },
  };
}

function isComplete({ bytes, usage: { finishReason = 'stop' } }: ModelAnswer): boolean {
  return bytes === undefined && (finishReason === 'stop' || finishReason === 'tool_calls');
}
