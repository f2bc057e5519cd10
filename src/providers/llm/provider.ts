import type { Readable } from 'node:stream';
import type { CallContext, ModelAnswer, ModelRequest } from '../../engine/ports.js';
import type { AbortSignalLike } from '../../platform/async/abort-signal.js';
import type { ChatRequest, TokenCounts } from './chat/chat-format.js';

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
  /** Used for requests without a model. */
  readonly defaultModel: string;
  /** Whether the bare name of the model selects this provider. */
  knows(model: string): boolean;
  /** Calls the model for a node or message. `projectId` determines the share of slots. Throws a PortError. */
  complete(model: string, request: ModelRequest, call: CallContext, projectId: number): Promise<ModelAnswer>;
  /**
   * Relays a chat request, without retries. Resolves with the response of any status, for a stream when its headers have arrived.
   * `caller` determines the share of slots: the id of a project, or the negative id of a user.
   *
   * @throws PortError without a response; `provider_busy` if too many calls of the caller wait for a slot
   * @throws UnsupportedChatError if the upstream's format cannot express the request
   */
  chat(model: string, request: ChatRequest, signal: AbortSignalLike, caller: number): Promise<ChatReply>;
  /** Lists the names of the models that it serves. */
  models(signal: AbortSignal): Promise<string[]>;
}

/** A response in the chat format, complete or as a stream. The receiver must read a stream to its end or destroy it. */
export interface ChatReply {
  status: number;
  /** `content-type` and the retry headers. */
  headers: Record<string, string>;
  body: Buffer | Readable;
  /** Returns the usage reported so far, for upstreams whose usage may be missing from the body. */
  usage?: () => TokenCounts | undefined;
  /** Called when the token usage is known. */
  whenMetered?: (used: TokenCounts) => void;
}
