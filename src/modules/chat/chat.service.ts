import { isObject } from '../../engine/json-value.js';
import { PortError } from '../../engine/ports.js';
import { type AbortControllerLike, type AbortSignalLike, toAbortSignal } from '../../platform/async/abort-signal.js';
import { thenSync } from '../../platform/async/then-sync.js';
import { timeOrderedUuid } from '../../platform/crypto/uuid.js';
import { BudgetExceededError, InvalidInputError, UnavailableError } from '../../platform/errors/errors.js';
import { tryParseJson } from '../../platform/json/try-parse-json.js';
import type { PageArgs } from '../../platform/lists/page.js';
import { IndexedSet } from '../../platform/memory/indexed-set.js';
import { failpoint } from '../../platform/testing/failpoint.js';
import { answerLimit } from '../../providers/llm/chat/chat-format.js';
import { ChatMeter, expectedUse } from '../../providers/llm/chat/chat-meter.js';
import { MODEL_ENDPOINTS } from '../../providers/llm/endpoints/all.js';
import type { EndpointName } from '../../providers/llm/endpoints/model-endpoint.js';
import type { Route } from '../../providers/llm/model-router.js';
import type { ProxyRequest } from '../../providers/llm/provider.js';
import { ASSUMED_ANSWER_TOKENS, type LanguageModels, usesServiceKey } from '../../providers/llm/registry.js';
import { storableText } from '../../providers/storable-text.js';
import type { Viewer } from '../accounts/viewer.js';
import type { BillingService } from '../billing/billing.service.js';
import type { BillingFilter, BillingTransactionPage } from '../billing/billing-transaction.js';
import type { Budget } from '../billing/budgets/budget.js';
import type { KeyBudget } from '../billing/budgets/key-budget.js';
import type { ProjectAccess } from '../projects/access.js';
import type { ProjectModels } from '../provider-keys/project-models.js';
import type { ServedModels } from '../provider-keys/served-models.js';
import type { AnsweredCalls } from './answered-calls.js';
import { type ChatAnswer, ChatRefusal, domainErrorOf, noModel, unknownModel } from './chat-answer.js';
import { chatEntry } from './chat-entry.js';
import type { ChatLedger, EntryOfCall } from './chat-ledger.js';
import type { ChatModel, ChatModelList } from './chat-model.type.js';
import { type ChatLimits, ChatRelay, isEvents, type RelayedAnswer } from './chat-relay.js';
import type { ChatRequestInput } from './chat-request.scalar.js';
import { ChatReservations, type HeldReservations } from './chat-reservations.js';
import { chatStream, type StreamEnd } from './chat-stream.js';
import { checkedRequest } from './endpoints/request-check.js';
import { fewerRoutes, maximumCost } from './fallback-routes.js';
import { TimeLimit } from './time-limit.js';

export interface ChatParts {
  models: ProjectModels;
  servedModels: Pick<ServedModels, 'modelNames'>;
  access: ProjectAccess;
  budget: Budget;
  keyBudget: KeyBudget;
  ledger: ChatLedger;
  answered: AnsweredCalls;
  billing: BillingService;
  limits: ChatLimits;
  /** Creates the controller of one call, which is cheaper than an AbortController (ADR 0027). */
  createAbortController: () => AbortControllerLike;
  /** Models to use, in this order, if the requested model fails: CHAT_FALLBACKS. */
  fallbacks: readonly string[];
}

/** How a client calls a model API. */
export interface ChatCall {
  /** The project whose budget pays for the call. Null: only the user is charged. */
  projectId: number | null;
  /** Aborts when the client disconnects. */
  signal: AbortSignalLike;
  /** The called API. Default: chat completions. */
  endpoint?: EndpointName;
  /** Headers for a provider that receives the request unchanged. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** A call that has passed validation, permissions and budgets. */
interface AdmittedCall {
  viewer: Viewer;
  projectId: number | null;
  request: ProxyRequest;
  models: LanguageModels;
  /** The requested model and its fallbacks, in order. */
  routes: readonly Route[];
  reservations: HeldReservations;
  limit: TimeLimit;
}

/**
 * The proxy of model APIs. It checks permissions and budgets, relays the call and records its cost. A call is translated
 * only if the provider does not have the called API.
 */
export class ChatService {
  readonly #relay: ChatRelay;
  readonly #reservations: ChatReservations;
  readonly #activeCalls = new IndexedSet<TimeLimit>();

  constructor(private readonly parts: ChatParts) {
    this.#relay = new ChatRelay(parts.limits);
    this.#reservations = new ChatReservations(parts.budget, parts.keyBudget);
  }

  /** Returns the response of the provider, or an error of this service in the same format. */
  async answer(viewer: Viewer, input: ChatRequestInput, call: ChatCall): Promise<ChatAnswer> {
    try {
      const admitting = this.#admit(viewer, input, call);
      const admitted = admitting instanceof Promise ? await admitting : admitting;
      failpoint('chat.admitted');
      let relayedAnswer: RelayedAnswer;
      try {
        relayedAnswer = await this.#relayCall(admitted);
      } catch (error) {
        this.#end(admitted.limit);
        await this.#reservations.release(admitted.reservations);
        throw error;
      }
      failpoint('chat.answered');
      const { status, headers } = relayedAnswer.reply;
      if (relayedAnswer.whole === null) {
        const streamHeaders = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' };
        return { status, headers: { ...headers, ...streamHeaders }, body: this.#stream(admitted, relayedAnswer) };
      }
      this.#end(admitted.limit);
      // Providers do not charge for failed calls.
      if (status >= 300) await this.#reservations.release(admitted.reservations);
      else this.#record(admitted, relayedAnswer, 'complete');
      return { status, headers, body: relayedAnswer.whole };
    } catch (error) {
      if (error instanceof ChatRefusal) return error.toAnswer(call.endpoint && MODEL_ENDPOINTS[call.endpoint]);
      if (call.signal.aborted) return CLIENT_CLOSED_REQUEST;
      throw error;
    }
  }

  /** Returns the completion as a value, for GraphQL. Throws a DomainError for a failed call. */
  async complete(viewer: Viewer, input: ChatRequestInput, call: ChatCall): Promise<unknown> {
    if (input.value.stream === true)
      throw new InvalidInputError({
        stream: [`Streams are not supported over GraphQL. Use POST ${pathOf(call)}.`],
      });
    const { status, body } = await this.answer(viewer, input, call);
    const completion = Buffer.isBuffer(body) ? tryParseJson(body.toString('utf8')) : undefined;
    if (status < 300 && completion !== undefined) return completion;
    const error = isObject(completion) && isObject(completion.error) ? completion.error : {};
    throw domainErrorOf(status < 300 ? 500 : status, error);
  }

  /** Lists the available models. For a project, the list includes the models of its provider keys. */
  async models(viewer: Viewer, { projectId, signal }: ChatCall): Promise<ChatModelList> {
    if (projectId !== null) await this.parts.access.authorizeNamed(viewer, projectId, 'project.read');
    const models = await this.parts.models.of(projectId);
    const entries = await models.models(toAbortSignal(signal));
    return { object: 'list', data: entries.map(({ id, provider }) => chatModel(id, provider)) };
  }

  /** Returns a model. Throws a NOT_FOUND error if its provider does not list it. */
  async model(viewer: Viewer, id: string, { projectId, signal }: ChatCall): Promise<ChatModel> {
    if (projectId !== null) await this.parts.access.authorizeNamed(viewer, projectId, 'project.read', 'projectId');
    const models = await this.parts.models.of(projectId);
    const route = models.route(id);
    if (!route) throw noModel(id, await this.parts.servedModels.modelNames(projectId));
    const { name } = route.provider;
    const listed = await models.modelsOf(name, toAbortSignal(signal)).catch((error: unknown) => {
      if (error instanceof PortError) throw new UnavailableError(`The provider ${name} did not list its models.`, 1);
      throw error;
    });
    if (!listed.includes(route.model)) throw noModel(id, await this.parts.servedModels.modelNames(projectId));
    return chatModel(id, name);
  }

  /** Lists the charges of chat completions, newest first: those of the caller, or those of a project. */
  async transactions(
    viewer: Viewer,
    projectId: number | null,
    filter: BillingFilter | null | undefined,
    page: PageArgs,
  ): Promise<BillingTransactionPage> {
    if (projectId !== null) await this.parts.access.authorize(viewer, projectId, 'project.read');
    return this.parts.billing.ofChat(projectId === null ? { userId: viewer.userId } : { projectId }, filter, page);
  }

  /** Waits up to `graceMs` for calls in progress, then aborts the remaining ones. */
  async stop(graceMs: number): Promise<void> {
    const until = Date.now() + graceMs;
    while (this.#activeCalls.size > 0 && Date.now() < until) await new Promise(resolve => setTimeout(resolve, 20));
    for (const limit of this.#activeCalls.all()) limit.abort(new UnavailableError('The service is shutting down.', 1));
  }

  #admit(viewer: Viewer, input: ChatRequestInput, call: ChatCall): AdmittedCall | Promise<AdmittedCall> {
    const request = checkedRequest(input, call);
    if (this.parts.ledger.isBehind) throw new UnavailableError('The service is overloaded.', 1);
    const models = call.projectId === null ? this.parts.models.of(null) : this.#modelsOf(viewer, call.projectId);
    return thenSync(models, loaded => this.#reserve(viewer, request, loaded, call));
  }

  async #refuseModel(model: string | undefined, projectId: number | null): Promise<never> {
    throw unknownModel(model, await this.parts.servedModels.modelNames(projectId));
  }

  /** Returns the models of a project. Throws if the viewer may not use them or the budget is spent. */
  async #modelsOf(viewer: Viewer, projectId: number): Promise<LanguageModels> {
    const { access, budget, models } = this.parts;
    await access.authorizeNamed(viewer, projectId, 'chat.complete');
    await budget.assertNotSpent(projectId);
    return models.of(projectId);
  }

  #reserve(
    viewer: Viewer,
    request: ProxyRequest,
    models: LanguageModels,
    { projectId, signal }: ChatCall,
  ): AdmittedCall | Promise<AdmittedCall> {
    const route = models.route(request.value.model);
    if (!route) return this.#refuseModel(request.value.model, projectId);
    const { endpoint } = request;
    const fallbacks = endpoint?.hasFallbacks === false ? [] : this.parts.fallbacks;
    const routes: [Route, ...Route[]] = [route, ...fallbacks.flatMap(model => models.route(model) ?? [])];
    const keyId = viewer.isKeyLimited ? (viewer.keyId ?? null) : null;
    const mayBeLimited = this.#mayBeLimited(viewer, projectId);
    const expected = () => {
      const limit = endpoint ? endpoint.answerLimit(request.value) : answerLimit(request.value);
      return expectedUse(request, limit ?? ASSUMED_ANSWER_TOKENS);
    };
    const reserve = (used: readonly Route[]) => {
      const service = mayBeLimited && used.some(usesServiceKey) ? { userId: viewer.userId } : undefined;
      // Each of the routes may answer, so the highest cost is reserved.
      return this.#reservations.reserve({ projectId, keyId, service }, () => maximumCost(models, used, expected()));
    };
    const admitted = (reservations: HeldReservations, used: readonly Route[]): AdmittedCall => {
      const limit = new TimeLimit(signal, this.parts.limits.timeoutMs, this.parts.createAbortController());
      return { viewer, projectId, request, models, routes: used, reservations, limit };
    };
    const pending = reserve(routes);
    if (!(pending instanceof Promise)) return admitted(pending, routes);
    return pending.then(
      reservations => admitted(reservations, routes),
      async (error: unknown) => {
        let refusal = error;
        const isOverLimit = () => refusal instanceof BudgetExceededError;
        for (const used of isOverLimit() ? await fewerRoutes(models, routes, expected()) : []) {
          if (!isOverLimit()) break;
          try {
            return admitted(await reserve(used), used);
          } catch (failure) {
            refusal = failure;
          }
        }
        throw refusal;
      },
    );
  }

  /** Whether an operator's limit may apply to the caller. Avoids a database query for most calls without a project. */
  #mayBeLimited(viewer: Viewer, projectId: number | null): boolean {
    return projectId !== null || this.parts.budget.defaults.userUsd !== null || viewer.isSpendingLimited !== false;
  }

  #relayCall({ viewer, projectId, request, routes, limit }: AdmittedCall): Promise<RelayedAnswer> {
    this.#activeCalls.add(limit);
    const caller = projectId ?? -viewer.userId;
    return this.#relay.relay(routes, request, limit, caller);
  }

  #stream(admitted: AdmittedCall, relayedAnswer: RelayedAnswer) {
    const { limit, request } = admitted;
    const meter = new ChatMeter(request, relayedAnswer.reply.usage);
    const onEnd = (end: StreamEnd) => {
      this.#end(limit);
      this.#record(admitted, relayedAnswer, end, meter);
    };
    return chatStream({ relayedAnswer, meter, limit, endpoint: request.endpoint, onEnd });
  }

  #end(limit: TimeLimit): void {
    limit.release();
    this.#activeCalls.delete(limit);
  }

  /** Records the call on the ledger, after its response. */
  #record(admitted: AdmittedCall, relayedAnswer: RelayedAnswer, end: StreamEnd, meter?: ChatMeter): void {
    // The entry captures only the values it needs: capturing `admitted` would keep the connection in memory while the
    // entry waits.
    const { viewer, projectId, request, models, reservations } = admitted;
    const { route, reply, whole } = relayedAnswer;
    this.parts.answered.count(route.provider.name, storableText(route.model));
    const entry: EntryOfCall = () => {
      const chatMeter = meter ?? new ChatMeter(request, reply.usage);
      if (whole !== null && isEvents(reply)) chatMeter.readEvents(whole);
      else if (whole !== null) chatMeter.readResponse(whole);
      return thenSync(chatMeter.counts(), tokens => {
        reply.whenMetered?.(tokens);
        return thenSync(models.cost(route, tokens), costUsd =>
          chatEntry({ id: timeOrderedUuid(), viewer, projectId, reservations, route, end, tokens, costUsd }),
        );
      });
    };
    this.parts.ledger.record(entry, reservations.ofKey !== null || reservations.ofProject !== null);
  }
}

/** Never sent, because the client has disconnected. */
const CLIENT_CLOSED_REQUEST: ChatAnswer = { status: 499, headers: {}, body: Buffer.alloc(0) };

function pathOf({ endpoint }: ChatCall): string {
  return endpoint ? MODEL_ENDPOINTS[endpoint].path : '/v1/chat/completions';
}

function chatModel(id: string, provider: string): ChatModel {
  return { id, object: 'model', created: 0, ownedBy: provider };
}
