import { ApiError, ConnectionError, type RefusalReason, RefusedError, RunFailedError } from './errors.js';
import { eventsOf } from './event-stream.js';
import type { Operation } from './operation.js';
import {
  RunResultDocument,
  StartRunDocument,
  UploadDocumentsDocument,
  type UploadDocumentsMutation,
  WatchRunDocument,
  type WatchRunSubscription,
} from './operations.generated.js';
import {
  type ClientOptions,
  type GraphQLError,
  graphqlErrorOf,
  retryDelayMs,
  sleep,
  type TextResponse,
  Transport,
} from './transport.js';

export interface CallOptions {
  /** Ends the call, which rejects with the reason of the signal. A started run continues. */
  readonly signal?: AbortSignal;
}

export interface RunOptions extends CallOptions {
  /** 1-255 printable ASCII characters. The same key starts at most one run in 24 hours. Default: a new key. */
  readonly idempotencyKey?: string;
}

export interface WatchOptions extends CallOptions {
  /** Number of the last received change. Default: 0, which returns all changes. */
  readonly afterSequence?: number;
}

export interface RequestOptions extends CallOptions {
  /** Whether to repeat the request after a lost connection. Default: whether it is a query. */
  readonly isRepeatable?: boolean;
}

/** One change of a run. */
export type RunChange = WatchRunSubscription['workflowRunChanged'];

export interface RunOutcome {
  readonly runId: string;
  /** Content of the output node; an object by node id when several output nodes were executed; null without one. */
  readonly output: unknown;
  /** Results by node id. */
  readonly data: unknown;
}

export type UploadedDocument = NonNullable<NonNullable<UploadDocumentsMutation['documentUpload']>['documents']>[number];

/** A file with its name: a `File` of a browser, or any content. */
export type UploadFile = File | { readonly name: string; readonly content: Blob | Uint8Array<ArrayBuffer> | string };

export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content: unknown;
  readonly [member: string]: unknown;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Further parameters of the chat format, such as `temperature`. */
  readonly [parameter: string]: unknown;
}

export interface ChatOptions extends CallOptions {
  /** Id of the project that is charged. Default: the account of the caller. */
  readonly projectId?: number;
}

/** The beginning of a query, after comments: its keyword, or `{` in the short form. */
const QUERY_START = /^\s*(?:#[^\n]*\n\s*)*(?:query\b|\{)/;

/** A client of one service. It holds no connection open. */
export class ScenariumClient {
  readonly #transport: Transport;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
  }

  /**
   * Sends a query or a mutation and returns its data. Throws `ApiError` if the response has errors, even if it has
   * data too. Refusals of mutations are members of the data, not such errors.
   */
  async request<Result = unknown, Variables = Record<string, unknown>>(
    operation: Operation<Result, Variables>,
    variables?: Variables,
    options: RequestOptions = {},
  ): Promise<Result> {
    const query = operation.toString();
    const isRepeatable = options.isRepeatable ?? QUERY_START.test(query);
    const response = await this.#transport.sendForText({
      path: '/graphql',
      headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json, application/json' },
      body: JSON.stringify({ query, variables }),
      isRepeatable,
      signal: options.signal,
    });
    return dataOf<Result>(response);
  }

  /** Starts a run and returns its id. Repeats the request safely after a lost connection. Throws `RefusedError`. */
  async run(workflowId: number, input: Record<string, unknown> = {}, options: RunOptions = {}): Promise<string> {
    const { idempotencyKey = randomKey(), signal } = options;
    const variables = { workflowId, input, idempotencyKey };
    const requestOptions = { isRepeatable: true, ...(signal && { signal }) };
    for (let attempt = 0; ; attempt++) {
      const { workflowRunStart } = await this.request(StartRunDocument, variables, requestOptions);
      // The first request with this key is still in progress, for example after a lost connection.
      const isInProgress = workflowRunStart?.errors[0]?.code === 'CONFLICT';
      if (!isInProgress || attempt >= this.#transport.retries)
        return accepted(workflowRunStart, payload => payload.run).id;
      await sleep(retryDelayMs(null, attempt), signal);
    }
  }

  /** Starts a run, follows it to its end and returns its result. Throws `RefusedError` or `RunFailedError`. */
  async runAndWait(
    workflowId: number,
    input: Record<string, unknown> = {},
    options: RunOptions = {},
  ): Promise<RunOutcome> {
    const { signal } = options;
    const runId = await this.run(workflowId, input, options);
    let last: RunChange | undefined;
    for await (const change of this.watch(runId, signal ? { signal } : {})) last = change;
    const { workflowRunResult } = await this.request(RunResultDocument, { runId }, signal ? { signal } : {});
    const result = workflowRunResult?.data;
    if (last?.kind === 'RUN_CANCELLED') throw new RunFailedError(runId, 'cancelled', 'cancelled');
    if (last?.kind !== 'RUN_SUCCEEDED')
      throw new RunFailedError(runId, result?.error?.code ?? 'failed', result?.error?.message ?? 'failed');
    return { runId, output: result?.output ?? null, data: result?.data ?? null };
  }

  /**
   * The changes of a run, each once and in order, until the run has ended. Continues after the last change when the connection is
   * lost. Stopping the loop ends the request.
   */
  async *watch(runId: string, { afterSequence = 0, signal }: WatchOptions = {}): AsyncGenerator<RunChange, void> {
    let sequence = afterSequence;
    for (let failures = 0; ; failures++) {
      try {
        for await (const { workflowRunChanged } of this.#changes(runId, sequence, signal)) {
          sequence = workflowRunChanged.sequence;
          failures = 0;
          yield workflowRunChanged;
          signal?.throwIfAborted();
        }
        return;
      } catch (error) {
        // The status of an error in the stream is 200. The transport has already repeated a request with another status.
        const isLost =
          error instanceof ConnectionError ||
          (error instanceof ApiError && error.code === 'UNAVAILABLE' && error.status === 200);
        if (!isLost || failures >= this.#transport.retries) throw error;
      }
      await sleep(retryDelayMs(null, failures), signal);
    }
  }

  /**
   * One connection in the protocol graphql-sse, distinct connections mode. Throws `ConnectionError` if it cannot be opened or ends
   * without `complete`; `watch` repeats it.
   */
  async *#changes(
    runId: string,
    afterSequence: number,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<WatchRunSubscription> {
    const response = await this.#transport.send({
      path: '/graphql',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ query: WatchRunDocument.toString(), variables: { runId, afterSequence } }),
      isRepeatable: false,
      signal,
    });
    for await (const { event, data } of eventsOf(response, signal)) {
      if (event === 'complete') return;
      if (event === 'next') yield resultOf<WatchRunSubscription>(JSON.parse(data), response);
    }
    throw new ConnectionError('The connection ended before the run.');
  }

  /** Uploads 1-5 files and returns their documents in the same order. Stores all files or none. Throws `RefusedError`. */
  async upload(
    projectId: number,
    files: readonly UploadFile[],
    options: CallOptions = {},
  ): Promise<UploadedDocument[]> {
    const form = new FormData();
    const variables = { projectId, files: files.map(() => null) };
    form.append('operations', JSON.stringify({ query: UploadDocumentsDocument.toString(), variables }));
    form.append('map', JSON.stringify(Object.fromEntries(files.map((_, at) => [at, [`variables.files.${at}`]]))));
    for (const [at, file] of files.entries())
      form.append(String(at), 'content' in file ? blobOf(file.content) : file, file.name);
    const { signal } = options;
    const response = await this.#transport.sendForText({ path: '/graphql', body: form, isRepeatable: false, signal });
    const { documentUpload } = dataOf<UploadDocumentsMutation>(response);
    return accepted(documentUpload, payload => payload.documents);
  }

  /** Streams the answer of a model as parts of its text. */
  async *chat(request: ChatRequest, { projectId, signal }: ChatOptions = {}): AsyncGenerator<string, void> {
    const response = await this.#transport.send({
      path: '/v1/chat/completions',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
        ...(projectId !== undefined && { 'X-Project-Id': String(projectId) }),
      },
      body: JSON.stringify({ ...request, stream: true }),
      isRepeatable: false,
      signal,
    });
    for await (const { data } of eventsOf(response, signal)) {
      if (data === '[DONE]') return;
      const { choices = [], error } = JSON.parse(data) as ChatChunk;
      if (error)
        throw graphqlErrorOf(
          [{ message: error.message, extensions: { code: error.code ?? error.type } }],
          200,
          requestIdOf(response),
        );
      for (const { delta } of choices) if (delta?.content) yield delta.content;
      signal?.throwIfAborted();
    }
    throw new ConnectionError('The stream ended before its last part.');
  }
}

interface ChatChunk {
  choices?: { delta?: { content?: string | null } }[];
  error?: { message: string; type: string; code?: string | null };
}

const requestIdOf = (response: Response) => response.headers.get('X-Request-Id');

/** A `Blob` keeps its media type. */
function blobOf(content: Blob | Uint8Array<ArrayBuffer> | string): Blob {
  return content instanceof Blob ? content : new Blob([content]);
}

function dataOf<Result>({ response, text }: TextResponse): Result {
  let result: unknown;
  try {
    result = JSON.parse(text);
  } catch (error) {
    throw new ConnectionError('The response is not JSON. Check the address of the service.', { cause: error });
  }
  return resultOf<Result>(result, response);
}

function resultOf<Result>(result: unknown, response: Response): Result {
  const { data, errors = [] } = result as { data?: Result | null; errors?: GraphQLError[] };
  if (errors.length > 0 || data === null || data === undefined)
    throw graphqlErrorOf(errors, response.status, requestIdOf(response));
  return data;
}

/** The value that `select` reads from a payload. Throws `RefusedError` if the payload has errors. */
function accepted<Payload extends { readonly errors: readonly RefusalReason[] }, Value>(
  payload: Payload | null,
  select: (payload: Payload) => Value | null,
): Value {
  const value = payload && select(payload);
  const [first, ...others] = payload?.errors ?? [];
  if (first) throw new RefusedError([first, ...others]);
  if (value === null)
    throw new ConnectionError('The response has neither data nor errors. Check the address of the service.');
  return value;
}

/** 32 hexadecimal digits. `crypto.randomUUID` exists only on pages served by HTTPS or from this machine. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
}
