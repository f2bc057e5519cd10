import type { Readable } from 'node:stream';
import type { CallContext, ModelAnswer, ModelRequest } from '../../engine/ports.js';
import type { AbortSignalLike } from '../../platform/async/abort-signal.js';
import type { ChatRequest, TokenCounts } from './chat/chat-format.js';

/** One upstream that answers for models, by its own names. */
export interface Provider {
  /** The prefix in `provider/model`. */
  readonly name: string;
  /** Under which the price table knows it. Absent: its own name. */
  readonly seller?: string;
  /** Its name in traces. Absent: its own name. */
  readonly conventionalName?: string;
  /** Address of its upstream: tells whose prices hold. Absent: its own. */
  readonly baseUrl?: string;
  /** Whether it is called with a key of the project's own. */
  readonly isOwn?: boolean;
  /** Asked when a request names none. */
  readonly defaultModel: string;
  /** Whether it is known to serve the model, so that the model's bare name leads here. */
  knows(model: string): boolean;
  /** `projectId`: whose turn is waited for where all slots are held. */
  complete(model: string, request: ModelRequest, call: CallContext, projectId: number): Promise<ModelAnswer>;
  /**
   * Passes a request of the chat format on, once. Resolves with the answer, of a stream with its head, whatever its status. Rejects with
   * a PortError where no answer came (`provider_busy`: too many of the caller wait for a slot), with an UnsupportedChatError
   * where the upstream's format has no words for it. `caller`: whose turn is waited for, a project's id, or a user's as a
   * negative number.
   */
  chat(model: string, request: ChatRequest, signal: AbortSignalLike, caller: number): Promise<ChatReply>;
  /** Names of the models it says it serves. */
  models(signal: AbortSignal): Promise<string[]>;
}

/**
 * An answer in the chat format: all of it, or where a stream was asked for bytes as they come in. Whoever got those reads
 * them to their end or destroys them.
 */
export interface ChatReply {
  status: number;
  /** `content-type`, and what tells a client when to try again. */
  headers: Record<string, string>;
  body: Buffer | Readable;
  /** What the upstream has reported so far, where the bytes need not say it. */
  usage?: () => TokenCounts | undefined;
  /** Hears what it used, once that is known. */
  whenMetered?: (used: TokenCounts) => void;
}
