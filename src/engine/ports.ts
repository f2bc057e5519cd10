/** The ports of the engine: its only access to time, randomness and I/O. */
export interface Ports {
  readonly clock: Clock;
  readonly llm: LanguageModel;
  readonly http: HttpCaller;
  readonly sandbox: Sandbox;
  readonly mcp: McpCaller;
  readonly approvals: Approvals;
  readonly runs: SubRuns;
  readonly scenarios: ScenarioRuns;
  /** Absent: image generation is not available. */
  readonly images?: ImageMaker;
  readonly search: SearchPort;
}

/** Source of the current time and of delays. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** One message of a conversation with a model. */
export interface ChatMessage {
  role: string;
  content: string;
  /** Only for assistant messages: the tool calls that the model requests. */
  toolCalls?: readonly ToolCall[];
  /** Only for tool messages: id of the call that this message answers. */
  toolCallId?: string;
}

/** A tool that a model may call. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments; its type is `object`. */
  parameters: Record<string, unknown>;
}

/** A tool call that a model requests. Its content is untrusted. */
export interface ToolCall {
  id: string;
  name: string;
  /** JSON text exactly as the model wrote it; it may be invalid. */
  arguments: string;
}

/** Parameters of a model request, named as in the chat completions API. An absent one is left to the provider. */
export interface ModelSettings {
  model_name?: string;
  temperature?: number;
  max_tokens?: number;
  top_p?: number;
  response_format?: unknown;
}

/** A request for one model completion. */
export interface ModelRequest {
  /** Name of a configured provider. Absent: selected by the model name. */
  provider?: string;
  messages: ChatMessage[];
  settings: ModelSettings;
  tools?: readonly ModelTool[];
}

/**
 * Usage of one provider call. `costUsd` is an exact decimal text in US dollars; null: the price of the model is
 * unknown.
 */
export interface Usage {
  provider: string;
  model: string;
  promptTokens: number;
  completionTokens: number;
  costUsd: string | null;
  /**
   * True if the call was paid with a provider key of the project. Absent: with a key of the service, or the call was
   * free.
   */
  isOwn?: true;
}

/** The completion of a model request. */
export interface ModelAnswer {
  /** Empty if the model returned only tool calls. */
  text: string;
  /** Absent: the model requested no tool calls. */
  toolCalls?: readonly ToolCall[];
  usage: Usage;
}

/** Sends completion requests to model providers. */
export interface LanguageModel {
  complete(request: ModelRequest, call: CallContext): Promise<ModelAnswer>;
}

/** The maximum expected cost of a paid call, and the owner of the provider key that pays. */
export interface CallEstimate {
  /** Exact decimal text in US dollars. */
  costUsd: string;
  /** True if a provider key of the service pays. */
  isService: boolean;
}

/** A call with its provider and key already selected. */
export interface PreparedCall extends CallEstimate {
  complete(call: CallContext): Promise<ModelAnswer>;
}

/** A request for one generated image. */
export interface ImageRequest {
  /** Name of a configured provider. Absent: selected by the parameters. */
  provider?: string;
  /** Descriptions of what the image shows, in order; at least one. */
  positive: readonly string[];
  /** Descriptions of what the image must not show. */
  negative: readonly string[];
  /** Parameters of the message, such as `model_name`, not validated. */
  parameters: Readonly<Record<string, unknown>>;
}

/** A generated image. */
export interface ImageAnswer {
  /** URL of the stored file. */
  url: string;
  usage: Usage;
}

/** Generates images and stores them. */
export interface ImageMaker {
  generate(request: ImageRequest, call: CallContext): Promise<ImageAnswer>;
}

/** Context of a call on behalf of a run: its abort signal, idempotency key and node. */
export interface CallContext {
  signal: AbortSignal;
  /**
   * Idempotency key, equal for all attempts of one node in one run. Calls that must not be repeated send it as
   * `Idempotency-Key`.
   */
  idempotencyKey: string;
  /** The calling node: its id, and the iteration of the surrounding loops. */
  place?: { node: string; iteration: string };
  /** Waits for a resource, for example a thread or a slot. This time does not count towards a timeout. */
  waitFor?<T>(turn: Promise<T>): Promise<T>;
}

/** An outgoing HTTP request. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  maxResponseBytes: number;
}

/** The response to an outgoing HTTP request. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends HTTP requests. */
export interface HttpCaller {
  request(request: HttpRequest, call: CallContext): Promise<HttpAnswer>;
}

/** A script of a code node with its input and limits. */
export interface Script {
  /** Body of an async JavaScript function with the parameters `input` and `nodes`. */
  code: string;
  input: unknown;
  /** Contents by node id. The script reads each of them as `{content, json}`. */
  nodes: ReadonlyMap<string, string>;
  /** Memory limit of the script, including its data, in MiB. */
  memoryMb: number;
  /** Execution time limit in milliseconds. Waiting for a thread does not count. */
  timeoutMs: number;
}

/** Executes untrusted scripts without I/O, with limited memory and time. No state survives between two scripts. */
export interface Sandbox {
  /** Returns the result of the script: a string unchanged, undefined as the empty text, everything else as JSON. */
  run(script: Script, call: Pick<CallContext, 'signal' | 'waitFor'>): Promise<string>;
}

/** Transport protocol of MCP. `auto` tries streamable HTTP, then SSE. */
export type McpTransport = 'auto' | 'sse' | 'streamable_http';

/** Address and transport of an MCP server. */
export interface McpServer {
  endpointUrl: string;
  transport: McpTransport;
  headers: Record<string, string>;
  /** Time limit in milliseconds, from the first connection to the last response. */
  timeoutMs: number;
}

/** A tool as the MCP server describes it. */
export interface McpTool {
  name: string;
  [member: string]: unknown;
}

/** Selects a tool by name. With `schemaHash` the call fails if the tool's schema has changed. */
export interface McpToolChoice {
  name: string;
  schemaHash?: string;
}

/** The result of an MCP tool call. */
export interface McpToolResult {
  content: unknown[];
  structuredContent?: unknown;
  isError: boolean;
  /** Schema hash of the tool as the server described it directly before the call. */
  schemaHash: string;
}

/** Client of MCP servers. Each call opens a session and closes it before it returns. */
export interface McpCaller {
  listTools(server: McpServer, call: Pick<CallContext, 'signal' | 'place'>): Promise<McpTool[]>;
  /** Hash of the parts of a tool description that callers and models rely on. */
  schemaHash(tool: McpTool): string;
  callTool(
    server: McpServer,
    tool: McpToolChoice,
    args: Record<string, unknown>,
    call: Pick<CallContext, 'signal' | 'place'>,
  ): Promise<McpToolResult>;
}

/** Decision on an approval request. */
export type Decision = 'approved' | 'rejected';

/** Decisions of people about the approval requests of one run. */
export interface Approvals {
  /** Creates a request id that is unique in the whole service. */
  newId(): string;
  /** Returns the decision; undefined: still open. */
  decision(requestId: string): Promise<Decision | undefined>;
}

/** Starts and observes sub-runs of a run. */
export interface SubRuns {
  /**
   * Starts a run of another workflow of the project and returns its id. A repeated call with the same key returns the
   * id of the existing run. Throws a PortError when the run is rejected.
   */
  start(request: { workflowId: number; input: Record<string, unknown>; key: string }): Promise<string>;
  /** Returns the outcome of the run; undefined: the run is not finished. */
  end(runId: string): Promise<SubRunEnd | undefined>;
  /** Cancels the run. Has no effect on a finished run. */
  cancel(runId: string): Promise<void>;
}

/** Starts and observes the scenario runs of a run. */
export interface ScenarioRuns {
  /**
   * Starts a run of a scenario of the project and returns its id. `variables` replaces the first value of each
   * variable, by its key. A repeated call with the same key returns the id of the existing run. Throws a PortError when
   * the run is rejected.
   */
  start(request: { scenarioId: number; variables: Record<string, string>; key: string }): Promise<string>;
  /** Returns the outcome of the run; undefined: the run is not finished. */
  end(runId: string): Promise<SubRunEnd | undefined>;
  /** Cancels the run. Has no effect on a finished run. */
  cancel(runId: string): Promise<void>;
}

/** Outcome of a sub-run. `content` is its output as text. */
export type SubRunEnd =
  | { status: 'succeeded'; runId: string; content: string }
  | { status: 'failed'; runId: string; error: { code: string; message: string } };

/** A search in the documents of a project. */
export interface SearchRequest {
  query: string;
  /** Ids of the documents to search; null: all documents of the project. */
  documentIds: readonly number[] | null;
  /** Maximum number of hits. */
  limit: number;
}

/** A text passage that matches a search. */
export interface SearchHit {
  /** Id of the document. */
  document: number;
  filename: string;
  /** Page number from 1; null: the document has no pages. */
  page: number | null;
  text: string;
  /** Relevance from 0 to 1; higher is better. */
  score: number;
}

/** Searches the documents of the run's project. The best hit comes first. */
export interface SearchPort {
  search(request: SearchRequest): Promise<SearchHit[]>;
}

/**
 * Failure of an external system. `code` becomes the code of the node's `error`. Any other error that a port throws is
 * reported as `internal_error`.
 */
export class PortError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Usage that the provider charged despite the failure. */
    readonly usage?: Usage,
    /** True if a retry would fail in the same way. */
    readonly isFinal = false,
  ) {
    super(message);
    this.name = 'PortError';
  }
}
