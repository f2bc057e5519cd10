import type { CallContext, WaitFor } from './call-context.js';
import type { ConversationReader } from './conversation/port.js';
import type { DatabaseCaller } from './database/port.js';
import type { EmailSender } from './email/port.js';
import type { MediaRequest } from './files/media.js';
import type { FileStore, LoadedFile, NewFile } from './files/port.js';
import type { HttpAnswer, HttpCaller, HttpRequest, HttpResponseForm } from './http-port.js';
import type { KeyValueStore } from './key-value/port.js';
import type { McpCaller, McpChallenge } from './mcp-port.js';
import type { ModelSettings } from './model-parameters.js';
import type { FinishReason, Usage } from './usage.js';
import type { Approvals, Events } from './wait-ports.js';

export type * from './mcp-port.js';
export type { CallContext, FinishReason, HttpAnswer, HttpCaller, HttpRequest, HttpResponseForm, ModelSettings, Usage };

/** The ports of the engine: its only access to time, randomness and I/O. */
export interface Ports {
  readonly clock: Clock;
  readonly llm: LanguageModel;
  readonly http: HttpCaller;
  readonly sandbox: Sandbox;
  readonly mcp: McpCaller;
  readonly approvals: Approvals;
  readonly events: Events;
  readonly runs: SubRuns;
  readonly scenarios: ScenarioRuns;
  /** Absent: image generation is not available. */
  readonly images?: ImageMaker;
  readonly search: SearchPort;
  readonly html: HtmlExtractor;
  readonly databases: DatabaseCaller;
  readonly files: FileStore;
  readonly email: EmailSender;
  readonly keyValues: KeyValueStore;
  readonly conversations: ConversationReader;
}

/** Source of the current time and of delays. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Executes the work of a call. Each wait of the work for an unavailable database is passed to `waitFor`. Absent: none is. */
  observeWaits?<T>(waitFor: WaitFor, work: () => T): T;
}

/** One message of a conversation with a model. */
export interface ChatMessage {
  role: string;
  content: string;
  /** Images after the text: addresses with `http` or `https`, or `data` URLs in base64. Absent: none. */
  images?: readonly string[];
  /** Ids of files after the images: images or PDF documents. Absent: none. */
  fileIds?: readonly string[];
  /** Documents after the images, as `data` URLs. Absent: none. */
  documents?: readonly { name: string; url: string }[];
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

/** A request for one model completion. */
export interface ModelRequest {
  /** Name of a configured provider. Absent: selected by the model name. */
  provider?: string;
  messages: ChatMessage[];
  settings: ModelSettings;
  tools?: readonly ModelTool[];
  /** Present: the model converts the text of each message to a vector. The text of the answer is the list of vectors as JSON. */
  embedding?: { dimensions?: number };
  /** Present: the model creates an image or speech, or transcribes speech. */
  media?: MediaRequest;
  /** Present: an answer to an equal request of the project may be used that is at most this many seconds old. */
  cacheSeconds?: number;
}

/** The completion of a model request. */
export interface ModelAnswer {
  /** Empty if the model returned only tool calls. */
  text: string;
  /** Absent: the model requested no tool calls. */
  toolCalls?: readonly ToolCall[];
  /** Content of the image or speech that `media` requests. */
  bytes?: Uint8Array;
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

/** A script of a code node with its input and limits. */
export interface Script {
  /** Body of an async JavaScript function with the parameters `input` and `nodes`. */
  code: string;
  /** Absent: JavaScript. */
  language?: 'typescript';
  input: unknown;
  /** Contents by node id. The script reads each of them as `{content, json}`. */
  nodes: ReadonlyMap<string, string>;
  /** Files that the script reads. Absent: none. */
  files?: readonly LoadedFile[];
  /** Memory limit of the script, including its data, in MiB. */
  memoryMb: number;
  /** Execution time limit in milliseconds. Waiting for a thread does not count. */
  timeoutMs: number;
}

/** Context of a script. */
export type ScriptCall = Pick<CallContext, 'signal' | 'waitFor' | 'log'>;

/** Executes untrusted scripts without I/O, with limited memory and time. No state survives between two scripts. */
export interface Sandbox {
  /**
   * Returns the result of the script: a string unchanged, undefined as the empty text, everything else as JSON.
   * `onFiles` receives the files that the script saved, before that.
   */
  run(script: Script, call: ScriptCall, onFiles?: (files: readonly NewFile[]) => void): Promise<string>;
}

/** Starts and observes sub-runs of a run. */
export interface SubRuns {
  /**
   * Starts a run of another workflow of the project and returns its id. A repeated call with the same key returns the
   * id of the existing run. Throws a PortError when the run is rejected. A detached run does not end with its parent.
   */
  start(request: {
    workflowId: number;
    input: Record<string, unknown>;
    key: string;
    isDetached?: boolean;
  }): Promise<string>;
  /** Returns the outcome of the run; undefined: the run is not finished. */
  findEnd(runId: string): Promise<SubRunEnd | undefined>;
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
  findEnd(runId: string): Promise<SubRunEnd | undefined>;
  /** Cancels the run. Has no effect on a finished run. */
  cancel(runId: string): Promise<void>;
}

/** Outcome of a sub-run. `content` is its output as text. */
export type SubRunEnd =
  | { status: 'succeeded'; runId: string; content: string }
  | { status: 'failed'; runId: string; error: { code: string; message: string } };

/** A search in the documents of a project. */
export interface SearchRequest {
  /** Only the first 2000 characters are used. */
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

/** A value to extract from HTML. */
export interface HtmlQuery {
  /** CSS selector. */
  selector: string;
  /** Path of the selector, for errors. */
  path: string;
  value: 'text' | 'html' | 'attribute';
  /** Name of the attribute. Used only for the value `attribute`. */
  attribute: string;
  /** True: all matches; false: the first match. */
  isList: boolean;
}

/** Extracts values from HTML. */
export interface HtmlExtractor {
  /**
   * Returns one value for each query: a text, null without a match, or a list. Throws a PortError for an invalid
   * selector, or a document or result that is too large. `pause` is called between parts of the work, so that other work
   * proceeds; it rejects to end the extraction.
   */
  extract(
    html: string,
    queries: readonly HtmlQuery[],
    pause: () => Promise<void>,
  ): Promise<(string | null | (string | null)[])[]>;
}

/** Optional details of a failed call. */
export interface PortErrorDetails {
  /** Usage that the provider charged despite the failure. */
  usage?: Usage | undefined;
  /** Whether a retry would fail in the same way. Default: false. */
  isFinal?: boolean;
  /** HTTP status of the response that failed the call, for the error of the node. */
  status?: number | undefined;
  /** What an MCP server demands before it answers. */
  challenge?: McpChallenge | undefined;
}

/**
 * Failure of an external system, or of a node's settings. `code` becomes the code of the node's `error`. Any other error that a port throws is
 * reported as `internal_error`.
 */
export class PortError extends Error {
  readonly usage: Usage | undefined;
  readonly isFinal: boolean;
  readonly status: number | undefined;
  readonly challenge: McpChallenge | undefined;

  constructor(
    readonly code: string,
    message: string,
    { usage, isFinal = false, status, challenge }: PortErrorDetails = {},
  ) {
    super(message);
    this.name = 'PortError';
    this.usage = usage;
    this.isFinal = isFinal;
    this.status = status;
    this.challenge = challenge;
  }
}
