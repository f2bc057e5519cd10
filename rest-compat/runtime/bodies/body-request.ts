import type { ContentType } from '../content-type.js';

export type Caller = 'key' | 'jwt' | 'service' | null;

/** The body of a request before anything is made of it. */
export interface BodyRequest {
  /** Empty when nothing was sent. */
  readonly bytes: Buffer;
  readonly contentType: ContentType;
  readonly caller: Caller;
  readonly maxDepth: number;
}

/** Values for variables, by their names. */
export type ReadBody = (request: BodyRequest) => Record<string, unknown>;
