/** Everything the engine needs from the world. Time, randomness and I/O come in here and nowhere else. */
export interface Ports {
  readonly clock: Clock;
  readonly llm: LanguageModel;
  readonly http: HttpCaller;
  readonly sandbox: Sandbox;
  readonly mcp: McpCaller;
  readonly approvals: Approvals;
  readonly runs: SubRuns;
  readonly scenarios: ScenarioRuns;
  /** Absent: nobody makes images. */
  readonly images?: ImageMaker;
  readonly search: SearchPort;
}

export interface Clock {
  now(): Date;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface ChatMessage {
  role: string;
  content: string;
  /** Of an assistant's message: what it asked for. */
  toolCalls?: readonly ToolCall[];
  /** Of a tool's message: the call that it answers. */
  toolCallId?: string;
}

/** A function that a model may ask for. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments, an object. */
  parameters: Record<string, unknown>;
}

/** What a model asked for: nothing in it can be trusted. */
export interface ToolCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it. */
  arguments: string;
}

export interface ModelSettings {
  model_name?: string;
  temperature?: number;
  max_tokens?: number;
  top_p?: number;
  response_format?: unknown;
}

export interface ModelRequest {
  /** Name of a configured provider; absent: chosen by the model's name. */
  provider?: string;
  messages: ChatMessage[];
  settings: ModelSettings;
  tools?: readonly ModelTool[];
}

/** What one call to a provider used. `costUsd` is an exact decimal text; null: the model's price is unknown. */
export interface Usage {
  provider: string;
  model: string;
  promptTokens: number;
  completionTokens: number;
  costUsd: string | null;
  /** Whether a provider key of the project paid for it; absent: one of the service did, or nothing was to be paid. */
  isOwn?: true;
}

export interface ModelAnswer {
  /** Empty when the model only asked for tools. */
  text: string;
  /** Absent: none. */
  toolCalls?: readonly ToolCall[];
  usage: Usage;
}

export interface LanguageModel {
  complete(request: ModelRequest, call: CallContext): Promise<ModelAnswer>;
}

/** What a paid call should cost at most, and whose provider key pays. */
export interface CallEstimate {
  /** US dollars. */
  costUsd: string;
  /** Whether a provider key of the service pays. */
  isService: boolean;
}

/** A call for which the provider and its key are chosen. */
export interface PreparedCall extends CallEstimate {
  complete(call: CallContext): Promise<ModelAnswer>;
}

export interface ImageRequest {
  /** Name of a configured provider; absent: chosen by the parameters. */
  provider?: string;
  /** What the image shows, in order, at least one text. */
  positive: readonly string[];
  /** What it does not show. */
  negative: readonly string[];
  /** As the message has them, such as `model_name`: nothing in them is checked. */
  parameters: Readonly<Record<string, unknown>>;
}

export interface ImageAnswer {
  /** Of the stored file. */
  url: string;
  usage: Usage;
}

/** Has an image made and stores it. */
export interface ImageMaker {
  generate(request: ImageRequest, call: CallContext): Promise<ImageAnswer>;
}

/** Ties a call to the run and node that makes it: aborts with it, and names it towards the outside. */
export interface CallContext {
  signal: AbortSignal;
  /** The same for every try of one node in one run: sent as `Idempotency-Key` by calls that are not repeatable. */
  idempotencyKey: string;
  /** The node that it is made for: its id, and the round of the loops around it. */
  place?: { node: string; iteration: string };
  /** Waits until the call has its turn, for example a thread or a slot: that time counts against no time-out. */
  waitFor?<T>(turn: Promise<T>): Promise<T>;
}

export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  maxResponseBytes: number;
}

export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface HttpCaller {
  request(request: HttpRequest, call: CallContext): Promise<HttpAnswer>;
}

export interface Script {
  /** Body of an async JavaScript function with the parameters `input` and `nodes`. */
  code: string;
  input: unknown;
  /** Contents by node id. The script sees each as `{content, json}`. */
  nodes: ReadonlyMap<string, string>;
  /** Memory of the script, its data included, in MiB. */
  memoryMb: number;
  /** Of the script at work; waiting for its turn does not count. */
  timeoutMs: number;
}

/** Runs scripts that nobody trusts: no I/O, bounded memory and time, nothing kept between two of them. */
export interface Sandbox {
  /** What the script returned: a text as it is, nothing as the empty text, everything else as JSON. */
  run(script: Script, call: Pick<CallContext, 'signal' | 'waitFor'>): Promise<string>;
}

export type McpTransport = 'auto' | 'sse' | 'streamable_http';

/** Where an MCP server is and how it is spoken to. */
export interface McpServer {
  endpointUrl: string;
  transport: McpTransport;
  headers: Record<string, string>;
  /** From the first connection to the last answer. */
  timeoutMs: number;
}

/** A tool as the server describes it. */
export interface McpTool {
  name: string;
  [member: string]: unknown;
}

/** Which tool is meant, and by `schemaHash` (when given) in which form. */
export interface McpToolChoice {
  name: string;
  schemaHash?: string;
}

export interface McpToolResult {
  content: unknown[];
  structuredContent?: unknown;
  isError: boolean;
  /** Of the tool as the server described it just before the call. */
  schemaHash: string;
}

/** One session for each call, closed before the call answers. */
export interface McpCaller {
  listTools(server: McpServer, call: Pick<CallContext, 'signal' | 'place'>): Promise<McpTool[]>;
  /** Hash of what a tool promises to whoever calls it or lets a model choose it. */
  schemaHash(tool: McpTool): string;
  callTool(
    server: McpServer,
    tool: McpToolChoice,
    args: Record<string, unknown>,
    call: Pick<CallContext, 'signal' | 'place'>,
  ): Promise<McpToolResult>;
}

export type Decision = 'approved' | 'rejected';

/** What people decided about the requests of one run. */
export interface Approvals {
  /** A new request's id, unique in the whole service. */
  newId(): string;
  /** Undefined: nobody has decided yet. */
  decision(requestId: string): Promise<Decision | undefined>;
}

/** Runs that one run starts. */
export interface SubRuns {
  /**
   * Starts a run of another workflow of the project; the same key starts it once and answers the same id. Throws a
   * PortError when it is refused.
   */
  start(asked: { workflowId: number; input: Record<string, unknown>; key: string }): Promise<string>;
  /** Undefined: it has not ended. */
  end(runId: string): Promise<SubRunEnd | undefined>;
  /** Harmless when it has ended. */
  cancel(runId: string): Promise<void>;
}

/** Runs of scenarios that one run starts. */
export interface ScenarioRuns {
  /**
   * Starts a run of a scenario of the project, with the first values of these variables (by key) replaced; the same key
   * starts it once and answers the same id. Throws a PortError when it is refused.
   */
  start(asked: { scenarioId: number; variables: Record<string, string>; key: string }): Promise<string>;
  /** Undefined: it has not ended. */
  end(runId: string): Promise<SubRunEnd | undefined>;
  /** Harmless when it has ended. */
  cancel(runId: string): Promise<void>;
}

/** `content`: the output, as text. */
export type SubRunEnd =
  | { status: 'succeeded'; runId: string; content: string }
  | { status: 'failed'; runId: string; error: { code: string; message: string } };

export interface SearchRequest {
  query: string;
  /** Null: all documents of the project. */
  documentIds: readonly number[] | null;
  /** Most hits. */
  limit: number;
}

export interface SearchHit {
  /** Id of the document. */
  document: number;
  filename: string;
  /** From 1; null where the document has no pages. */
  page: number | null;
  text: string;
  /** 0-1, higher is better. */
  score: number;
}

/** Finds text in the documents of the run's project, the best first. */
export interface SearchPort {
  search(request: SearchRequest): Promise<SearchHit[]>;
}

/**
 * A failure of something outside, with a code that a node's `error` carries. Ports throw it; anything else
 * that a port throws is reported as `internal_error`.
 */
export class PortError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Usage that the provider charged for although the call failed. */
    readonly usage?: Usage,
    /** Another try would be refused in the same way. */
    readonly isFinal = false,
  ) {
    super(message);
    this.name = 'PortError';
  }
}
