import type { Request, RequestHandler, Response } from 'express';
import { type ExecutionResult, execute, type FormattedExecutionResult } from 'graphql';
import { RateLimitedError, UnavailableError } from '../../platform/errors/errors.js';
import { whenWritable } from '../../platform/streams/response-flow.js';
import { recordOutcome } from '../../platform/tracing/work-context.js';
import { createErrorFormatter } from '../errors.js';
import type { OperationGuard } from '../limits.js';
import { type PersistedQueries, readOperationRequest } from '../operation-request.js';
import type { GraphQLServerOptions } from '../server-options.js';
import { type ErrorFormatter, formatError, formatResult } from './format-result.js';
import { ResultStream } from './result-stream.js';
import { acceptsJson, type StreamFormat, streamFormatOf } from './stream-formats.js';
import { operationTypeOf, prepareStream, type StreamArgs, sendRefusal, toGraphQLError } from './stream-request.js';
import { sharingSubscribe } from './subscribe.js';
import { callerOf, startRechecks } from './subscriber-credentials.js';
import type { SubscriberSlots } from './subscriber-slots.js';

/** The label of streams in logs and metrics. Their duration is that of the subscription, so it is kept apart. */
const ROUTE = '/graphql (stream)';

/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 5;

export interface HttpStreamParts {
  guard: OperationGuard;
  persisted: PersistedQueries;
  slots: SubscriberSlots;
  /** The number of open WebSockets, which share the limit of the process. */
  openSockets: () => number;
}

/**
 * Subscriptions over HTTP: as Server-Sent Events (graphql-sse, distinct connections mode) and as multipart/mixed (Apollo). A client that
 * accepts only a stream gets the results of queries and mutations in it too. A stream requires a caller and takes one of its slots.
 */
export class HttpStreams {
  readonly #open = new Set<ResultStream>();
  readonly #subscribe = sharingSubscribe();
  readonly #format: ErrorFormatter;
  #isDisposed = false;

  constructor(
    private readonly options: GraphQLServerOptions,
    private readonly parts: HttpStreamParts,
  ) {
    this.#format = createErrorFormatter(options.log, options.isIntrospectable);
  }

  /** The number of open streams. */
  get count(): number {
    return this.#open.size;
  }

  /** Answers requests for a stream and passes all others on. */
  readonly handler: RequestHandler = async (request, response, next) => {
    const { accept } = request.headers;
    const format = streamFormatOf(accept);
    if (!format || (request.method !== 'GET' && request.method !== 'POST')) return next();
    try {
      const operation = await readOperationRequest(request, this.parts.persisted);
      if (operationTypeOf(operation) !== 'subscription' && acceptsJson(accept)) return next();
      const args = await prepareStream({ request, response, operation }, this.options, this.parts.guard);
      this.#takeSlot(args, response);
      const isSubscription = operationTypeOf(operation) === 'subscription';
      args.whenWritable = () => whenWritable(response);
      const result = await (isSubscription ? this.#subscribe(args) : execute(args));
      await this.#send(request, response, format, this.#formatted(result));
    } catch (error) {
      sendRefusal(response, error, this.#format);
    }
  };

  /** Ends all streams, so that clients subscribe again at another process. */
  dispose(): void {
    this.#isDisposed = true;
    const error = formatError(toGraphQLError(shuttingDown()), this.#format).toJSON();
    for (const stream of this.#open) stream.interrupt(error);
  }

  /** The slot is released when the connection of the response closes. */
  #takeSlot({ contextValue }: StreamArgs, response: Response): void {
    const { socketLimits } = this.options;
    if (this.#isDisposed) throw shuttingDown();
    if (this.count + this.parts.openSockets() >= socketLimits.sockets)
      throw new UnavailableError('Too many sockets and HTTP subscriptions are open.', RETRY_AFTER);
    const releaseSlot = this.parts.slots.acquire(contextValue.viewer.userId);
    if (!releaseSlot) {
      const message = `A user may have at most ${socketLimits.perUser} sockets and HTTP subscriptions at a time.`;
      throw new RateLimitedError(RETRY_AFTER, message);
    }
    if (response.destroyed) releaseSlot();
    else response.once('close', releaseSlot);
  }

  async #send(request: Request, response: Response, format: StreamFormat, results: Results): Promise<void> {
    if (response.destroyed) return void (await results.return?.());
    this.options.onStream(response);
    recordOutcome({ route: ROUTE });
    const stream = new ResultStream(response, format, results);
    this.#open.add(stream);
    const { contextFor } = this.options;
    const check = () => callerOf(() => contextFor(request.headers, { request, fields: null, response: null }));
    const refuse = (error: unknown) => stream.refuse(formatError(toGraphQLError(error), this.#format).toJSON());
    const stopRechecks = startRechecks(check, refuse, this.options);
    response.once('close', () => {
      stopRechecks();
      this.#open.delete(stream);
    });
    await stream.run().catch(refuse);
  }

  /** The results of a subscription, or the single result of another operation or of a subscription that could not start. */
  #formatted(result: AsyncIterable<ExecutionResult> | ExecutionResult): Results {
    const toFormatted = (one: ExecutionResult) => formatResult(one, this.#format, this.options.maxResponseCharacters);
    if (!(Symbol.asyncIterator in result)) return singleResult(toFormatted(result));
    const events = result[Symbol.asyncIterator]();
    return {
      async next() {
        const event = await events.next();
        return event.done ? event : { done: false, value: toFormatted(event.value) };
      },
      async return() {
        await events.return?.();
        return { done: true, value: undefined };
      },
    };
  }
}

type Results = AsyncIterator<FormattedExecutionResult>;

async function* singleResult(result: FormattedExecutionResult): Results {
  yield result;
}

function shuttingDown(): UnavailableError {
  return new UnavailableError('The process is shutting down. Subscribe again after the last sequence or cursor.', 1);
}
