import type { ModelParameterName } from '../../../engine/model-parameters.js';
import type { EndpointName, EndpointRequest } from '../endpoints/model-endpoint.js';
import type { ChatError, ChatRequest, RequestBody, TokenCounts } from './chat-format.js';

/** The definition of a model provider: its address, its names and its API. */
export interface ProviderProtocol {
  /** The name of the provider: its folder, and the prefix in `provider/model`. */
  readonly name: string;
  /** Description in the GraphQL enum `KeyProvider`. */
  readonly description: string;
  /** The public base URL of the provider, which ends in the version of its API. */
  readonly ownUrl: string;
  /** Whether a configured base URL is used unchanged. Otherwise the version of `ownUrl` is appended if it has none. */
  readonly usesAnyAddress?: true;
  /** `gen_ai.provider.name` by the GenAI semantic conventions of OpenTelemetry. Default: `name`. */
  readonly conventionalName?: string;
  /** Its name in the price table. Default: `name`. */
  readonly seller?: string;
  readonly defaultModel: string;
  /** Whether the name of the model identifies this provider. */
  knows(model: string): boolean;
  /** Returns the authentication headers for a key. */
  credentials(apiKey: string): Record<string, string>;
  /** Sent with every request. */
  readonly headers?: Record<string, string>;
  /** Parameters that this API cannot express. Nodes and messages that set them are refused. Default: none. */
  readonly refusedParameters?: readonly ModelParameterName[];
  /** Converts a chat request to the path and body of this API. Throws UnsupportedChatError. */
  buildRequest(model: string, request: ChatRequest): { path: string; body: string | Buffer };
  /** Null for an API in the chat format. */
  readonly translation: Translation | null;
  /** The other APIs of the provider. Requests to them are passed on unchanged, unless the format says otherwise. */
  readonly endpoints?: Partial<Record<EndpointName, EndpointFormat>>;
  /** True if it has OpenAI's APIs for images, speech and transcriptions. */
  readonly hasMedia?: true;
  readonly modelsPath: string;
  readModels(answer: unknown): string[];
}

/** How a provider is called in an API other than chat completions. */
export interface EndpointFormat {
  buildRequest(model: string, request: EndpointRequest): { path: string; body: string | Buffer };
  /** Null for an API with the same format as the endpoint. */
  readonly translation: Translation | null;
}

/** Converts responses to the format of the requested API. */
export interface Translation {
  answer(body: unknown, request: RequestBody): object;
  error(status: number, body: unknown): { error: ChatError };
  /** Missing for an API without streams. */
  stream?(model: string, request: RequestBody): StreamTranslation;
}

/** Converts the events of one stream to the chat format. */
export interface StreamTranslation {
  /** Converts an event to chunks. Throws a StreamFailure for an error event. */
  take(event: unknown): object[];
  usage(): TokenCounts | undefined;
  /** Creates the chunk that reports the usage. */
  usageChunk(usage: TokenCounts): object;
}

/** An error that a provider reports within a stream. */
export class StreamFailure extends Error {
  constructor(readonly body: { error: ChatError }) {
    super(body.error.message);
    this.name = 'StreamFailure';
  }
}
