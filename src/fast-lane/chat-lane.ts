import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { routes } from '../../rest-compat/generated/routes.js';
import { createRestHandler } from '../../rest-compat/runtime/handler.js';
import { disconnectSignalGetter } from '../http/disconnect-signal.js';
import type { ArrivalListener, FastLane, FastLaneParts } from '../http/fast-lane.js';
import type { Middleware } from '../http/middleware/middleware.js';
import { isPlainBody } from '../http/whole-body.js';
import { BufferedResponse } from './buffered-response.js';
import { CollectedRequest } from './collected-request.js';
import { composeMiddleware } from './compose-middleware.js';
import { IdleConnections } from './idle-connections.js';
import { LightAbortController } from './light-abort-controller.js';

const PATH = '/v1/chat/completions';
const ROUTES = routes.filter(({ path }) => path.replace(/\/$/, '') === PATH);

/**
 * Serves chat completions in front of Express (ADR 0038). It uses the same middleware and generated operation with cheaper request and
 * response classes. Unusual requests, such as those with a compressed body, go to Express, which responds identically.
 */
export class ChatLane implements FastLane {
  readonly classes = { IncomingMessage: CollectedRequest, ServerResponse: BufferedResponse };
  #connections: IdleConnections | undefined;
  #answer: RequestListener | undefined;
  #maxBodyBytes = 0;

  attach(server: Server, keepAliveMs: number): void {
    this.#connections = new IdleConnections(server, keepAliveMs);
  }

  wrap(listener: RequestListener): RequestListener {
    return (request, response) => {
      this.#connections?.use(request.socket, response);
      if (this.#answer && this.#isOwn(request)) return this.#answer(request, response);
      // Express replaces the prototype of the response.
      if (response instanceof BufferedResponse) response.stopBuffering();
      listener(request, response);
    };
  }

  open({ middleware, onError, rest, maxBodyBytes }: FastLaneParts): void {
    const createSignal = (response: Parameters<typeof disconnectSignalGetter>[0]) =>
      disconnectSignalGetter(response, () => new LightAbortController());
    this.#maxBodyBytes = maxBodyBytes;
    this.#answer = composeMiddleware(
      [...middleware, collect, createRestHandler({ ...rest(createSignal), routes: ROUTES })],
      onError,
    );
  }

  onArrival(request: IncomingMessage, listener: ArrivalListener): void {
    if (request instanceof CollectedRequest) request.onArrival(listener);
    // Express has replaced the prototype of the request.
    else request.once('end', () => listener.handleArrival());
  }

  release(request: IncomingMessage): void {
    this.#connections?.release(request.socket);
    if (request instanceof CollectedRequest) request.finish();
  }

  hasBegunResponse(socket: Duplex): boolean {
    const { _httpMessage: response } = socket as Duplex & { _httpMessage?: { headersSent: boolean } };
    return response?.headersSent ?? false;
  }

  forget(socket: Duplex): void {
    this.#connections?.forget(socket as Socket);
  }

  stop(): void {
    this.#connections?.stop();
  }

  #isOwn(request: IncomingMessage): boolean {
    return hasOwnPath(request.url ?? '') && request.method === 'POST' && isPlainBody(request, this.#maxBodyBytes);
  }
}

function hasOwnPath(url: string): boolean {
  return url.startsWith(PATH) && (url.length === PATH.length || url[PATH.length] === '?');
}

const collect: Middleware = (request, _response, next) => {
  void (request as CollectedRequest).collect().then(body => {
    request.body = body;
    next();
  });
};
