import type { ChatBody, ChatError, RequestBody, TokenCounts } from '../chat/chat-format.js';

/** Model APIs other than chat completions. */
export type EndpointName = 'embeddings' | 'messages' | 'responses';

/** The wire format of a model API. A provider that has the API receives requests unchanged. For others they are translated. */
export interface ModelEndpoint {
  readonly name: EndpointName;
  /** Path of the REST route. */
  readonly path: string;
  /** Whether another model may respond in place of a failed one. False for vectors, which are not comparable between models. */
  readonly hasFallbacks: boolean;
  /** Reports invalid values of the members that this service uses. */
  check(value: Readonly<Record<string, unknown>>, fault: (member: string, message: string) => void): void;
  /** The limit on tokens of the response; undefined without one. */
  answerLimit(value: RequestBody): number | undefined;
  /** The text of the prompt, for counting its tokens. */
  promptText(value: RequestBody): string;
  /** Creates a reader of the usage of one response. */
  createUsageReader(): UsageReader;
  /** Builds the body of an error response. */
  error(status: number, error: ChatError): object;
  /** Builds the server-sent event of an error within a stream. */
  errorEvent(error: ChatError): string;
  /** Null for an API that has no equivalent in chat completions. */
  readonly translation: EndpointTranslation | null;
}

/** Reads the usage and the generated texts from a complete response, or from the events of a stream. */
export interface UsageReader {
  /** Reads a parsed response or event. Returns the texts that it contains. */
  read(body: unknown): string[];
  usage(): TokenCounts | undefined;
}

/** Translates an API to chat completions and back. */
export interface EndpointTranslation {
  /** Throws UnsupportedChatError for values without an equivalent. */
  request(value: RequestBody, model: string): ChatBody;
  answer(completion: unknown, request: RequestBody): object;
  stream(request: RequestBody): EndpointStream;
}

/** Translates the chunks of one stream. All methods return the text of server-sent events. */
export interface EndpointStream {
  take(chunk: unknown): string;
  end(): string;
}

/** A request to an API other than chat completions. */
export interface EndpointRequest {
  /** JSON as the client wrote it. */
  readonly text: string;
  readonly value: RequestBody;
  /** The bytes of the text, if the request arrived as UTF-8. */
  readonly utf8?: Buffer | undefined;
  readonly endpoint: ModelEndpoint;
  /** Headers for a provider that receives the request unchanged. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
