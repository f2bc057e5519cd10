import type { ChatBody, ChatError, ChatRequest, TokenCounts } from './chat-format.js';

/** A model provider: its address, its names and its protocol. */
export interface ProviderProtocol {
  /** The name of its folder, and the prefix in `provider/model`. */
  readonly name: string;
  /** For the GraphQL enum `KeyProvider`. */
  readonly description: string;
  /** The provider's own address, which ends in the version of its interface. */
  readonly ownUrl: string;
  /** Whether a configured address is used unchanged. Otherwise the version of `ownUrl` is added to one that ends in none. */
  readonly usesAnyAddress?: true;
  /** `gen_ai.provider.name` by the GenAI conventions of OpenTelemetry. Absent: its name. */
  readonly conventionalName?: string;
  /** Under which the price table knows it. Absent: its own name. */
  readonly seller?: string;
  readonly defaultModel: string;
  knows(model: string): boolean;
  /** The headers that bear the key. */
  credentials(apiKey: string): Record<string, string>;
  /** Sent with every request. */
  readonly headers?: Record<string, string>;
  /** Where and how the chat request is asked. Throws UnsupportedChatError. */
  ask(model: string, request: ChatRequest): { path: string; body: string | Buffer };
  /** Null: it speaks the chat format itself. */
  readonly translation: Translation | null;
  readonly modelsPath: string;
  readModels(answer: unknown): string[];
}

/** Turns what comes back into the chat format. */
export interface Translation {
  answer(given: unknown, asked: ChatBody): object;
  error(status: number, given: unknown): { error: ChatError };
  stream(model: string, asked: ChatBody): StreamTranslation;
}

/** The same for one stream, event by event. */
export interface StreamTranslation {
  /** The chunks that an event comes to; throws a StreamFailure for an event that tells of an error. */
  take(event: unknown): object[];
  usage(): TokenCounts | undefined;
  /** The chunk that tells what was used. */
  usageChunk(used: TokenCounts): object;
}

/** A provider said in the midst of a stream that it failed. */
export class StreamFailure extends Error {
  constructor(readonly told: { error: ChatError }) {
    super(told.error.message);
    this.name = 'StreamFailure';
  }
}
