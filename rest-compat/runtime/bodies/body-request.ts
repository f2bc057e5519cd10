import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { ContentType } from '../input/content-type.js';
import type { Input } from '../input/inputs.js';

export type Caller = 'key' | 'jwt' | 'service' | null;

/** A file of a request, wherever the service has put it. */
export interface ReceivedFile {
  /** Tells it from others: what was sent again is the same. */
  readonly fingerprint: string;
  /** Harmless once the operation has taken the file over. */
  discard(): Promise<void>;
}

/** Takes a file in as it is read; rejects with the errors that resolvers throw. */
export type ReceiveFile = (content: Readable, filename: string) => Promise<ReceivedFile>;

/** Makes one of a JSON object's text, what it says, and the text in UTF-8. */
export type ParseBody = (text: string, value: Record<string, unknown>, utf8: Buffer) => unknown;

/** The body of a request before anything is made of it. */
export interface BodyRequest {
  /** Empty when nothing was sent, and for a body in several parts: that is read from `req`. */
  readonly bytes: Buffer;
  readonly contentType: ContentType;
  readonly caller: Caller;
  readonly maxDepth: number;
  readonly req: IncomingMessage;
  readonly inputs: readonly Input[];
  readonly receive: ReceiveFile;
  /** The value of the variable that gets a VERBATIM body. */
  readonly written: ParseBody;
}

type Values = Record<string, unknown>;

/** Values for variables, by their names. */
export type ReadBody = (request: BodyRequest) => Values | Promise<Values>;
