import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RestHandlerOptions } from '../../rest-compat/runtime/handler.js';
import type { RequestContext } from '../modules/accounts/request-context.js';
import type { AbortSignalLike } from '../platform/async/abort-signal.js';
import type { ErrorHandler } from './middleware/error-handler.js';
import type { Middleware } from './middleware/middleware.js';

/** Returns the getter of the signal that aborts when the client of a response disconnects. */
export type SignalFactory = (response: ServerResponse) => () => AbortSignalLike;

/** Called once for a request, or never if its client disconnects first. */
export interface ArrivalListener {
  handleArrival(): void;
}

/** The parts that the fast lane shares with the Express routers. */
export interface FastLaneParts {
  /** Middleware that runs before every REST operation. */
  middleware: readonly Middleware[];
  onError: ErrorHandler;
  /** Creates the REST operations with the given source of disconnect signals. */
  rest: (createSignal: SignalFactory) => RestHandlerOptions<RequestContext>;
  maxBodyBytes: number;
}

/** Serves some requests without Express, and closes idle connections of the server. */
export interface FastLane {
  readonly classes: { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse };
  /** Called once, before the server listens. */
  attach(server: Server, keepAliveMs: number): void;
  /** Wraps a listener: serves the requests of the lane after `open`, and passes all others to `listener`. */
  wrap(listener: RequestListener): RequestListener;
  open(parts: FastLaneParts): void;
  /** Calls `listener` when the whole body has arrived; of a body that is read as a stream, when its end is read. */
  onArrival(request: IncomingMessage, listener: ArrivalListener): void;
  /** Called when the response of a request is sent or its connection has closed. */
  release(request: IncomingMessage): void;
  /** Whether a response on the connection has started and not ended. */
  hasBegunResponse(socket: Duplex): boolean;
  /** Called when a connection becomes a WebSocket. */
  forget(socket: Duplex): void;
  stop(): void;
}
