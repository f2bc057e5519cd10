import { answerTokens } from '../../engine/model-parameters.js';
import { type CallContext, PortError, type Usage } from '../../engine/ports.js';
import { waitObserved, withWaitFor } from '../../engine/wait-for.js';
import type { AbortSignalLike } from '../../platform/async/abort-signal.js';
import { DeferredBatch } from '../../platform/async/deferred-batch.js';
import type { Telemetry } from '../../platform/tracing/telemetry.js';
import type { Span } from '../../platform/tracing/tracing.js';
import { parentSpanOf, withContext } from '../../platform/tracing/work-context.js';
import { withModelLabel } from '../prices.js';
import type { TokenCounts } from './chat/chat-format.js';
import type { ChatReply, Provider } from './provider.js';

/**
 * Wraps a provider with metrics and traces of its calls: duration (without waiting for a slot), outcome and token usage, but no
 * contents.
 */
export function observedProvider(provider: Provider, telemetry: Telemetry): Provider {
  const observer = new CallObserver(provider, telemetry);
  return {
    ...provider,

    async complete(model, request, call, projectId) {
      const { temperature, top_p } = request.settings;
      const settings = { max_tokens: answerTokens(request.settings), temperature, top_p };
      const span = observer.span(model, call.place, settings);
      let startedAt = performance.now();
      // The time until a slot is free is no part of the duration.
      const observedCall = withWaitFor(call, async slot => {
        const since = performance.now();
        try {
          return await waitObserved(call, slot);
        } finally {
          startedAt += performance.now() - since;
        }
      });
      try {
        const answer = await inSpan(span, () => provider.complete(model, request, observedCall, projectId));
        observer.onEnd(model, 'ok', startedAt);
        if (span) span.set(usageOf(answer.usage));
        span?.end();
        reportUsage(telemetry, provider, answer.usage);
        return answer;
      } catch (error) {
        const code = codeOf(error, call.signal);
        observer.onEnd(model, code, startedAt);
        if (error instanceof PortError && error.usage) reportUsage(telemetry, provider, error.usage);
        span?.end(code);
        throw error;
      }
    },

    async chat(model, request, signal, caller) {
      const operation = request.endpoint?.name === 'embeddings' ? 'embeddings' : 'chat';
      const span = observer.span(model, undefined, {}, operation);
      const startedAt = performance.now();
      try {
        const reply = await inSpan(span, () => provider.chat(model, request, signal, caller));
        observer.onEnd(model, reply.status < 300 ? 'ok' : refusalOf(reply.status), startedAt);
        return span ? tracedReply(reply, span) : reply;
      } catch (error) {
        const code = codeOf(error, signal);
        observer.onEnd(model, code, startedAt);
        span?.end(code);
        throw error;
      }
    },
  };
}

function inSpan<T>(span: Span | undefined, work: () => T): T {
  return span ? withContext({ span }, work) : work();
}

interface CompletedCall {
  provider: Provider;
  telemetry: Telemetry;
  model: string;
  outcome: string;
  seconds: number;
}

/** Shared by all providers, because providers with project keys are created for each call. */
const endedCalls = new DeferredBatch<CompletedCall>(({ provider, telemetry, model, outcome, seconds }) => {
  const { name, seller = name, baseUrl } = provider;
  withModelLabel({ provider: seller, model, baseUrl }, knownModel =>
    telemetry.metrics.recordModelCall({ provider: name, model: knownModel, outcome, seconds }),
  );
});

class CallObserver {
  constructor(
    private readonly provider: Provider,
    private readonly telemetry: Telemetry,
  ) {}

  span(
    model: string,
    place: CallContext['place'],
    settings: Record<string, number | undefined>,
    operation = 'chat',
  ): Span | undefined {
    const { name, conventionalName = name, baseUrl } = this.provider;
    return this.telemetry.tracer?.start(`${operation} ${model}`, {
      kind: 'client',
      parent: parentSpanOf(place),
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': conventionalName,
        'gen_ai.request.model': model,
        'gen_ai.request.max_tokens': settings.max_tokens,
        'gen_ai.request.temperature': settings.temperature,
        'gen_ai.request.top_p': settings.top_p,
        'server.address': baseUrl && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : undefined,
      },
    });
  }

  onEnd(model: string, outcome: string, startedAt: number): void {
    const { provider, telemetry } = this;
    endedCalls.add({ provider, telemetry, model, outcome, seconds: (performance.now() - startedAt) / 1000 });
  }
}

/** Ends the span of a relayed response when its usage is known or its stream fails. */
function tracedReply(reply: ChatReply, span: Span): ChatReply {
  let isEnded = false;
  const end = (error: string | undefined, used?: TokenCounts) => {
    if (isEnded) return;
    isEnded = true;
    if (used) span.set(usageOf(used));
    span.end(error);
  };
  if (reply.status >= 300) end(refusalOf(reply.status));
  else if (!Buffer.isBuffer(reply.body)) reply.body.once('error', () => end('broken_off'));
  return { ...reply, whenMetered: used => end(undefined, used) };
}

/** Reports the token usage of a call to the metrics. */
export function reportUsage(
  { metrics }: Telemetry,
  { name, seller = name, baseUrl }: Partial<Provider> & { name: string },
  usage: Usage,
): void {
  const { model, promptTokens, completionTokens, costUsd } = usage;
  withModelLabel({ provider: seller, model, baseUrl }, knownModel =>
    metrics.recordModelUse({ provider: name, model: knownModel, promptTokens, completionTokens, costUsd }),
  );
}

function usageOf({ promptTokens, completionTokens }: TokenCounts) {
  return { 'gen_ai.usage.input_tokens': promptTokens, 'gen_ai.usage.output_tokens': completionTokens };
}

/** The outcome label of an error status. Upstreams can return any status, so the set of labels is bounded. */
function refusalOf(status: number): string {
  return status === 429 ? 'rate_limited_upstream' : `upstream_${Math.floor(status / 100)}xx`;
}

function codeOf(error: unknown, { aborted }: AbortSignalLike): string {
  if (error instanceof PortError) return error.code;
  return aborted ? 'aborted' : 'internal_error';
}
