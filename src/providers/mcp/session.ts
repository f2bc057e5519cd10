import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { isObject } from '../../engine/json-value.js';
import { type McpQuestion, type McpServer, type McpTool, type McpTransport, PortError } from '../../engine/ports.js';
import { MIN_MASKED_BY_VALUE } from '../../engine/secrets.js';
import { abortable } from '../../platform/async/abort-signal.js';
import type { Outbound } from '../../platform/outbound/outbound.js';
import { authorizedFetch } from './authorized-fetch.js';
import { Questions } from './elicitation.js';
import { httpStatus, isRpcError, mcpFailure, protocolError, timedOut } from './failure.js';
import { CLOSING_MS, GuardedFetch } from './guarded-fetch.js';
import { createdTask, MAX_TASK_MS, pollDelayMs, type Task, taskState, taskTimedOut } from './task.js';
import type { TokenCache } from './token-cache.js';

const MAX_TOOLS = 1_000;
const MAX_PAGES = 100;
/** Maximum times that a session resumes streams. */
const MAX_RESUMPTIONS = 20;
/** A stream is resumed after the time that the server names in `retry`, otherwise after these delays. */
const RECONNECTION = {
  maxRetries: 3,
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 4_000,
  reconnectionDelayGrowFactor: 2,
};

/** Loose objects keep unknown members, so that tools are passed on unchanged. */
const toolPage = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string().min(1) })),
  nextCursor: z.string().nullish(),
});
const toolResult = z.looseObject({
  content: z.array(z.unknown()).nullish(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish(),
});

/** A session with an MCP server. One deadline covers the connection and all requests, another one a task. */
export class Session {
  /** Texts that error messages must not contain. `authorizedFetch` adds the access tokens that it sends. */
  readonly secrets: string[];
  readonly #end = new AbortController();
  readonly #fetch: GuardedFetch;
  readonly #serverFetch: Outbound['fetch'];
  readonly #questions: Questions;
  #deadline: NodeJS.Timeout | undefined;
  /** The task that has not ended. */
  #taskId: string | undefined;
  #client: Client | undefined;
  #transport: StreamableHTTPClientTransport | SSEClientTransport | undefined;

  constructor(
    outbound: Outbound,
    private readonly server: McpServer,
    tokens: TokenCache,
  ) {
    this.#fetch = new GuardedFetch(
      outbound,
      { signal: this.#end.signal, fail: reason => this.#end.abort(reason) },
      server.checkRedirect,
    );
    this.secrets = secretsOf(server);
    this.#questions = new Questions(server);
    const fetches = { server: this.#fetch.call, authorization: this.#fetch.callOnce };
    this.#serverFetch = authorizedFetch(server, tokens, fetches, this.secrets);
  }

  /** Connects, runs `work` and closes the session. Throws the abort reason of `signal`, or a PortError for all other failures. */
  async run<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const { timeoutMs } = this.server;
    this.#setDeadline(timeoutMs, timedOut(timeoutMs));
    const onAbort = () => this.#end.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await this.#abortable(this.#connect().then(() => work(this)));
      await this.#close();
      return result;
    } catch (error) {
      // Not awaited: a server that failed may not answer, and a caller that aborts does not wait.
      void this.#close();
      if (signal.aborted) throw signal.reason;
      throw mcpFailure(error, this.#fetch.failure, this.secrets);
    } finally {
      clearTimeout(this.#deadline);
      signal.removeEventListener('abort', onAbort);
      this.#end.abort(new Error('the session is over'));
    }
  }

  /** Yields the tools of the server. Further pages are loaded on demand. */
  async *tools(): AsyncGenerator<McpTool> {
    let cursor: string | undefined;
    let count = 0;
    for (let page = 0; page < MAX_PAGES; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const { tools, nextCursor } = await this.#request({ method: 'tools/list', params }, toolPage);
      count += tools.length;
      if (count > MAX_TOOLS) throw protocolError(`it lists more than ${MAX_TOOLS} tools`);
      yield* tools;
      if (nextCursor === undefined || nextCursor === null || nextCursor === '') return;
      cursor = nextCursor;
    }
    throw protocolError(`its list of tools has more than ${MAX_PAGES} pages`);
  }

  /** The first question of the server without an answer. A user must answer it before the call is repeated. */
  get question(): McpQuestion | undefined {
    return this.#questions.unanswered;
  }

  /** Calls a tool, as a task if it requires that, or permits it and the server has a time limit for tasks. */
  async call({ name, execution }: McpTool, args: Record<string, unknown>): Promise<ToolResult> {
    const params = { name, arguments: args };
    const { taskTimeoutMs } = this.server;
    const support = isObject(execution) ? execution.taskSupport : undefined;
    if (support !== 'required' && (support !== 'optional' || taskTimeoutMs === undefined))
      return this.#request({ method: 'tools/call', params }, toolResult);
    const asTask = { ...params, task: { ttl: (taskTimeoutMs ?? MAX_TASK_MS) + this.server.timeoutMs } };
    const { task } = await this.#request({ method: 'tools/call', params: asTask }, createdTask);
    return this.#resultOf(task);
  }

  /** Waits for a task. Other sessions may have no access to it, so this one stays open. */
  async #resultOf(created: Task): Promise<ToolResult> {
    const { taskTimeoutMs } = this.server;
    const { taskId } = created;
    this.#taskId = taskId;
    this.#setDeadline(taskTimeoutMs, taskTimedOut(taskTimeoutMs));
    const params = { taskId };
    for (let task = created; task.status === 'working'; ) {
      await sleep(pollDelayMs(task), undefined, { signal: this.#end.signal });
      task = await this.#request({ method: 'tasks/get', params }, taskState);
    }
    // A task that waits for input sends its questions in front of this response.
    const result = await this.#request({ method: 'tasks/result', params }, toolResult, taskTimeoutMs ?? MAX_TASK_MS);
    this.#taskId = undefined;
    return result;
  }

  /** Replaces the deadline of the session; undefined: none but the one of the caller. */
  #setDeadline(ms: number | undefined, error: PortError): void {
    clearTimeout(this.#deadline);
    if (ms !== undefined) this.#deadline = setTimeout(() => this.#end.abort(error), ms);
  }

  #request<S extends z.ZodType>(
    request: { method: string; params: Record<string, unknown> },
    schema: S,
    timeout = this.server.timeoutMs,
  ) {
    const client = this.#client as Client;
    return client.request(request, schema, { ...this.#options(), timeout }) as Promise<z.output<S>>;
  }

  #options() {
    return { signal: this.#end.signal, timeout: this.server.timeoutMs };
  }

  async #connect(): Promise<void> {
    const { transport } = this.server;
    if (transport !== 'auto') return this.#connectOver(transport);
    try {
      await this.#connectOver('streamable_http');
    } catch (error) {
      if (this.#end.signal.aborted || this.#fetch.failure || error instanceof PortError || !mayRequireSse(error))
        throw error;
      await this.#client?.close();
      // If both transports fail, the error of Streamable HTTP, which replaced SSE, is more useful.
      await this.#connectOver('sse').catch(() => {
        throw error;
      });
    }
  }

  async #connectOver(transport: Exclude<McpTransport, 'auto'>): Promise<void> {
    const url = new URL(this.server.endpointUrl);
    const options = {
      requestInit: { headers: this.server.headers },
      // The guarded client checks each redirect and removes credentials for other origins.
      redirectPolicy: 'follow' as const,
    };
    this.#transport =
      transport === 'sse'
        ? new SSEClientTransport(url, { ...options, fetch: this.#singleStreamFetch() })
        : new StreamableHTTPClientTransport(url, {
            ...options,
            fetch: this.#resumableStreamsFetch(),
            reconnectionOptions: RECONNECTION,
          });
    const client = new Client(
      { name: 'scenarium', version: '1.0.0' },
      { capabilities: { elicitation: { form: { applyDefaults: true } } } },
    );
    this.#client = client;
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => this.#questions.answer(params));
    // An unreadable message may be the response to a pending request, which would otherwise wait until its deadline.
    client.onerror = error => {
      if (error instanceof SyntaxError || error.name === 'ZodError') this.#end.abort(protocolError());
      // The client reports streams that it gave up only as a text. The response of a pending request is lost.
      if (error.message.startsWith('Maximum reconnection attempts'))
        this.#end.abort(this.#fetch.failure ?? protocolError('it closed the connection'));
    };
    await client.connect(this.#transport, this.#options());
  }

  /**
   * Resumes interrupted responses (requests with `Last-Event-ID`) a limited number of times. The stream for messages
   * outside of responses is opened once, because a session is short and expects none.
   */
  #resumableStreamsFetch(): Outbound['fetch'] {
    let isOpen = false;
    let resumptions = 0;
    return async (input, init) => {
      if ((init?.method ?? 'GET') === 'GET') {
        const isResumption = new Headers(init?.headers).has('last-event-id');
        // The client does not repeat a request with this status.
        if (this.#end.signal.aborted || (isOpen && !isResumption)) return new Response(null, { status: 405 });
        isOpen = true;
        if (isResumption && ++resumptions > MAX_RESUMPTIONS)
          this.#end.abort(protocolError(`it interrupted its responses more than ${MAX_RESUMPTIONS} times`));
      }
      return this.#serverFetch(input, init);
    };
  }

  /** Ends the session when the event source reconnects: responses to earlier requests never arrive on a new stream. */
  #singleStreamFetch(): Outbound['fetch'] {
    let isOpen = false;
    return (input, init) => {
      if ((init?.method ?? 'GET') === 'GET') {
        if (isOpen) this.#end.abort(this.#fetch.failure ?? protocolError('it closed the connection'));
        isOpen = true;
      }
      return this.#serverFetch(input, init);
    };
  }

  #abortable<T>(work: Promise<T>): Promise<T> {
    return abortable(work, this.#end.signal);
  }

  /** Without this, the server would continue work whose result nothing receives. */
  async #cancelTask(): Promise<void> {
    const taskId = this.#taskId;
    if (taskId === undefined) return;
    const request = { method: 'tasks/cancel', params: { taskId } };
    await this.#client?.request(request, z.looseObject({}), { timeout: CLOSING_MS }).catch(() => {});
  }

  async #close(): Promise<void> {
    const transport = this.#transport;
    this.#fetch.isClosing = true;
    await this.#cancelTask();
    try {
      if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
    } catch {
      // The server then ends the session by its own timeout.
    }
    await this.#client?.close().catch(() => {});
  }
}

type ToolResult = z.output<typeof toolResult>;

/** Returns the configured credentials that are long enough to be masked in texts. */
function secretsOf({ headers, auth }: McpServer): string[] {
  const { clientId, clientSecret, privateKey } = auth ?? {};
  const basic = clientSecret && Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return [...Object.values(headers), clientSecret, basic, privateKey].filter(
    value => value !== undefined && value.length >= MIN_MASKED_BY_VALUE,
  ) as string[];
}

/** Whether the server may only support SSE. False for authentication errors, rate limits, server and MCP errors. */
function mayRequireSse(error: unknown): boolean {
  const status = httpStatus(error);
  if (status !== undefined) return status !== 401 && status !== 403 && status !== 429 && status < 500;
  return !isRpcError(error);
}
