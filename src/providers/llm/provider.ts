import type { Readable } from 'node:stream';
import type { ModelParameterName } from '../../engine/model-parameters.js';
import type { CallContext, ModelAnswer, ModelRequest } from '../../engine/ports.js';
import type { AbortSignalLike } from '../../platform/async/abort-signal.js';
import type { ChatRequest, TokenCounts } from './chat/chat-format.js';
import type { EndpointName, EndpointRequest } from './endpoints/model-endpoint.js';

/** An upstream that serves models under its own names. */
export interface Provider {
  /** The prefix in `provider/model`. */
  readonly name: string;
  /** Its name in the price table. Default: `name`. */
  readonly seller?: string;
  /** Its name in traces. Default: `name`. */
  readonly conventionalName?: string;
  /** Base URL of the upstream, which identifies the seller for prices. */
  readonly baseUrl?: string;
  /** Whether it uses a provider key of the project. */
  readonly isOwn?: boolean;
  /** The APIs other than chat completions that it has. */
  readonly endpoints?: Readonly<Partial<Record<EndpointName, unknown>>>;
  /** Used for requests without a model. */
  readonly defaultModel: string;
  /** Parameters of nodes and messages that it cannot express. Default: none. */
  readonly refusedParameters?: readonly ModelParameterName[];
  /** Whether the bare name of the model selects this provider. */
  knows(model: string): boolean;
  /** Calls the model for a node or message. `projectId` determines the share of slots. Throws a PortError. */
  complete(model: string, request: ModelRequest, call: CallContext, projectId: number): Promise<ModelAnswer>;
  /**
   * Relays a request for chat completions or for one of its `endpoints`, without retries. Resolves with the response of any status, for a stream when its headers have arrived.
   * `caller` determines the share of slots: the id of a project, or the negative id of a user.
   *
   * @throws PortError without a response; `provider_busy` if too many calls of the caller wait for a slot
   * @throws UnsupportedChatError if the upstream's format cannot express the request
   */
  chat(model: string, request: ProxyRequest, signal: AbortSignalLike, caller: number): Promise<ChatReply>;
  /** Lists the names of the models that it serves. */
  models(signal: AbortSignal): Promise<string[]>;
}

/** A request that is relayed: for chat completions, or for another API. */
export type ProxyRequest = ChatRequest | EndpointRequest;

/** A response in the format of the requested API, complete or as a stream. The receiver must read a stream to its end or destroy it. */
export interface ChatReply {
  status: number;
  /** `content-type`, the retry headers and, with status 429, the rate limit headers. */
  headers: Record<string, string>;
  body: Buffer | Readable;
  /** Returns the usage reported so far, for upstreams whose usage may be missing from the body. */
  usage?: () => TokenCounts | undefined;
  /** Called when the token usage is known. */
  whenMetered?: (used: TokenCounts) => void;
}
