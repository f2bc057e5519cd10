import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RestHandlerOptions } from '../../rest-compat/runtime/handler.js';
import type { RequestContext } from '../modules/accounts/request-context.js';
import type { AbortSignalLike } from '../platform/async/abort-signal.js';
import type { ErrorHandler } from './middleware/error-handler.js';
import type { Step } from './middleware/step.js';

/** Returns the signal that aborts when the client of a response leaves. */
export type SignalFactory = (response: ServerResponse) => () => AbortSignalLike;

/** What the fast lane shares with the routers of Express. */
export interface FastLaneParts {
  /** Middleware in front of every REST operation. */
  steps: readonly Step[];
  onError: ErrorHandler;
  /** The REST operations with another signal for the end of a connection. */
  rest: (createSignal: SignalFactory) => RestHandlerOptions<RequestContext>;
  maxBodyBytes: number;
}

/** Answers some requests in front of Express. It has the connections of the server as well, whose requests it counts. */
export interface FastLane {
  readonly classes: { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse };
  /** Called once, before the server listens. */
  attach(server: Server, keepAliveMs: number): void;
  /** Answers its own requests once it is open; passes the others on. */
  before(others: RequestListener): RequestListener;
  open(parts: FastLaneParts): void;
  /** Called when the response of a request has left, or will not leave. */
  release(request: IncomingMessage): void;
  /** Whether a response has begun on the connection and not ended. */
  hasBegunResponse(socket: Duplex): boolean;
  /** Called when a connection becomes a WebSocket. */
  forget(socket: Duplex): void;
  stop(): void;
}
