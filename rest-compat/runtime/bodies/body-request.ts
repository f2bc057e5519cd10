import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { ContentType } from '../input/content-type.js';
import type { Input } from '../input/inputs.js';

/** The kind of credentials of a request, which decides the format of a RUN_INPUT body. Null: unknown. */
export type Caller = 'key' | 'jwt' | 'service' | null;

/** A received file, stored by the service. */
export interface ReceivedFile {
  /** Identifies the content: equal when the same file is sent again. */
  readonly fingerprint: string;
  /** Deletes the temporary file. Has no effect after the operation has stored the file. */
  discard(): Promise<void>;
}

/** Receives a file as a stream. Rejects with the same errors as resolvers. */
export type ReceiveFile = (content: Readable, filename: string) => Promise<ReceivedFile>;

/** Builds the value of a VERBATIM body from the JSON text, its parsed value and its UTF-8 bytes. */
export type ParseBody = (text: string, value: Record<string, unknown>, utf8: Buffer) => unknown;

/** An unparsed request body with everything that its reader needs. */
export interface BodyRequest {
  /** The body; empty for a request without a body and for a multipart form, which is read from `req`. */
  readonly bytes: Buffer;
  readonly contentType: ContentType;
  readonly caller: Caller;
  /** Maximum nesting depth of a JSON body. */
  readonly maxDepth: number;
  readonly req: IncomingMessage;
  readonly inputs: readonly Input[];
  readonly receive: ReceiveFile;
  /** Builds the value of a VERBATIM body. */
  readonly parseBody: ParseBody;
}

type Values = Record<string, unknown>;

/** Reads a request body and returns the values of variables by name. @throws RestFault for an invalid body. */
export type ReadBody = (request: BodyRequest) => Values | Promise<Values>;
