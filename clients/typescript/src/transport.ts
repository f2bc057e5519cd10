import { ApiError, ConnectionError } from './errors.js';

/** How to reach the service. Exactly one of `apiKey` and `token` is required. */
export interface ClientOptions {
  /** Address of the service, for example `https://scenarium.example`. */
  readonly url: string;
  readonly apiKey?: string;
  /** Access token of a session, or a function that returns the current one. */
  readonly token?: string | (() => string | Promise<string>);
  /**
   * Number of further attempts after the statuses 429 and 503, and after a failed connection if the request is safe to repeat.
   * Default: 3.
   */
  readonly retries?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface HttpRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | FormData;
  /** Whether a repeated request has no further effect. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A response whose body has been read. */
export interface TextResponse {
  readonly response: Response;
  readonly text: string;
}

const RETRIED_STATUSES = new Set([429, 503]);
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;

/** Sends requests with credentials and repeats them as `ClientOptions.retries` describes. */
export class Transport {
  readonly retries: number;
  readonly #url: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    if ((options.apiKey === undefined) === (options.token === undefined))
      throw new TypeError('Pass either apiKey or token.');
    this.#url = options.url.replace(/\/+$/, '');
    this.#options = options;
    this.retries = options.retries ?? 3;
  }

  /**
   * Returns the response if it is a success. 429 and 503 are repeated for every request, also if it is not repeatable.
   * Throws `ApiError` for other statuses and `ConnectionError` without a response.
   */
  send(request: HttpRequest): Promise<Response> {
    return this.#repeat(request, async response => response);
  }

  /** Like `send`, with the whole body. A connection that is lost while the body is read counts as one without a response. */
  sendForText(request: HttpRequest): Promise<TextResponse> {
    return this.#repeat(request, async response => ({ response, text: await response.text() }));
  }

  async #repeat<T>(request: HttpRequest, receive: (response: Response) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= this.retries;
      let response: Response;
      try {
        response = await this.#fetch(request);
        if (response.ok) return await receive(response);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (isLast || !request.isRepeatable)
          throw new ConnectionError(`No response from ${this.#url}${request.path}.`, { cause: error });
        await sleep(retryDelayMs(null, attempt), request.signal);
        continue;
      }
      if (isLast || !RETRIED_STATUSES.has(response.status)) {
        const error = await apiErrorOf(response);
        request.signal?.throwIfAborted();
        throw error;
      }
      await response.body?.cancel().catch(() => undefined);
      await sleep(retryDelayMs(response.headers.get('Retry-After'), attempt), request.signal);
    }
  }

  async #fetch({ path, headers, body, signal }: HttpRequest): Promise<Response> {
    const send = this.#options.fetch ?? globalThis.fetch;
    const init: RequestInit = { method: 'POST', headers: { ...(await this.#credentials(path)), ...headers }, body };
    return send(`${this.#url}${path}`, signal ? { ...init, signal } : init);
  }

  /** The model routes (`/v1/`) take an API key as a bearer token, as in the API of OpenAI. */
  async #credentials(path: string): Promise<Record<string, string>> {
    const { apiKey, token } = this.#options;
    if (apiKey !== undefined && !path.startsWith('/v1/')) return { 'X-Api-Key': apiKey };
    return { Authorization: `Bearer ${apiKey ?? (typeof token === 'function' ? await token() : token)}` };
  }
}

/** Milliseconds to wait before the next attempt, at most a minute: the header if it is a number of seconds, otherwise 500, 1000, 2000 … */
export function retryDelayMs(retryAfter: string | null, attempt: number): number {
  const seconds = retryAfter === null || retryAfter === '' ? Number.NaN : Number(retryAfter);
  const wait = Number.isNaN(seconds) ? FIRST_WAIT_MS * 2 ** attempt : seconds * 1_000;
  return Math.min(Math.max(wait, 0), MAX_WAIT_MS);
}

/** Resolves after a time. Rejects with the reason of the signal when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

interface ErrorBody {
  errors?: GraphQLError[];
  detail?: string;
  code?: string;
  error?: { message?: string; code?: string | null; type?: string };
}

export interface GraphQLError {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly fields?: Record<string, string[]> };
}

/** The error of a response without success, in the format of GraphQL, REST or the model routes. */
async function apiErrorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('X-Request-Id');
  const text = await response.text().catch(() => '');
  const { status } = response;
  let body: ErrorBody = {};
  try {
    body = JSON.parse(text) as ErrorBody;
  } catch {
    // A proxy in front of the service may send HTML.
  }
  if (body.errors) return graphqlErrorOf(body.errors, status, requestId);
  const message = body.error?.message ?? body.detail ?? `HTTP status ${status}`;
  const code = body.error?.code ?? body.error?.type ?? body.code ?? null;
  return new ApiError(message, { status, code, fields: {}, requestId });
}

export function graphqlErrorOf(errors: readonly GraphQLError[], status: number, requestId: string | null): ApiError {
  const message = errors.map(error => error.message).join('; ');
  const { code = null, fields = {} } = errors[0]?.extensions ?? {};
  return new ApiError(message, { status, code, fields, requestId });
}
